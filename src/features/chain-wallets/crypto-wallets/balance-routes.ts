import { Type } from 'typebox';
import { formatUnits } from 'viem';
import { CHAINS } from '#chains/evm/port.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Id, IdInput, Nullable, stamped, Timestamp } from '#kernel/http/declare/schema.ts';
import { NOT_KNOWN, shownBalance, spendableOf } from '#kernel/money/shown-balance.ts';
import {
  dollars,
  type Holding,
  type HoldingsDeps,
  readCryptoHoldings,
  totalCents,
} from './holdings.ts';
import { ChainBalance } from './shapes.ts';
import { addressesOf, assetsOf, findWallet, type WalletAddress } from './store.ts';

const endpoint = endpoints(codedEnvelope);

type Place = Pick<WalletAddress, 'wallet_address' | 'chain_id'>;
/** Smallest units that are set aside there, by the contract's address or `native`. */
type Held = (place: Place, token: string) => bigint;

export interface BalanceDeps extends HoldingsDeps {
  readonly clock: Clock;
  /** What of balances is set aside that are read between the two calls. */
  beginHeld(db: Db): Promise<(places: readonly Place[]) => Promise<Held>>;
}

/** What a wallet holds on every chain (contract: GET /wallets/{wallet_id}/balance). */
export const balanceRoute = (deps: BalanceDeps): Route =>
  endpoint('GET /wallets/{wallet_id}/balance', {
    name: 'cryptoWallets.getBalance',
    auth: 'user',
    errors: ['WALLET_NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
    summary: "A wallet's balances on each chain, and their value",
    params: Type.Object({ wallet_id: IdInput }),
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          bw_id: Id,
          wallet_name: Type.String(),
          total_value_usd: Nullable(Type.Number()),
          total_addresses: Type.Integer(),
          supported_chains: Type.Array(Type.String()),
          chains: Type.Record(Type.String(), ChainBalance),
          summary: Type.Object({
            total_chains: Type.Integer(),
            total_addresses: Type.Integer(),
            last_updated: Timestamp,
            unavailable_chains: Type.Array(Type.String()),
          }),
        }),
      }),
    },
    async handler({ caller, params: { wallet_id: bw_id }, db }) {
      const wallet = await findWallet(db, tenantScopeOf(caller), bw_id);
      if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
      const [addresses, assets] = await Promise.all([
        addressesOf(db, [bw_id]),
        assetsOf(db, [bw_id]),
      ]);
      const finishHeld = await deps.beginHeld(db);
      const holdings = await readCryptoHoldings(deps, addresses, assets);
      const setAside = await finishHeld(addresses);
      const held = addresses.map((address) => ({
        address,
        holding: holdings.get(address.address_id),
      }));
      const supported_chains = addresses.map(({ chain_id }) => chain_id);
      return {
        message: 'Balance retrieved',
        data: {
          bw_id,
          wallet_name: wallet.wallet_name,
          total_value_usd: dollars(totalCents(held.map(({ holding }) => holding))),
          total_addresses: addresses.length,
          supported_chains,
          chains: Object.fromEntries(
            held.map(({ address, holding }) => [
              address.chain_id,
              onChain(address, holding, setAside),
            ]),
          ),
          summary: {
            total_chains: supported_chains.length,
            total_addresses: addresses.length,
            last_updated: deps.clock.now().toISOString(),
            unavailable_chains: held
              .filter(({ holding }) => holding?.fault)
              .map(({ address }) => address.chain_id),
          },
        },
      };
    },
  });

/** Nulls stand for what the chain did not answer: showing zero would say that the money is gone. */
function onChain(address: WalletAddress, holding: Holding | undefined, held: Held) {
  const { chain_id, wallet_address } = address;
  const { native, tokens = [], cents, fault } = holding ?? {};
  const inUnits = (units: bigint | undefined, decimals: number, token: string) =>
    shown(units, decimals, held(address, token));
  const { balance: native_balance, ...coin } = inUnits(native, COIN_DECIMALS, 'native');
  return {
    chain_id,
    wallet_address,
    native_balance,
    ...coin,
    native_symbol: CHAINS[chain_id].native,
    tokens: tokens.map(({ symbol, contract_address, decimals, units, value_usd }) => ({
      symbol,
      ...inUnits(units, decimals, contract_address),
      contract_address,
      value_usd,
    })),
    total_usd: dollars(cents),
    ...(fault && {
      error: { code: 'CHAIN_UNAVAILABLE', message: `${chain_id} cannot be reached at the moment` },
    }),
  };
}

const COIN_DECIMALS = 18;

/** A balance with what of it is set aside and left. */
function shown(units: bigint | undefined, decimals: number, held: bigint) {
  if (units === undefined) return { balance: null, ...NOT_KNOWN };
  const write = (some: bigint) => formatUnits(some, decimals);
  return { balance: write(units), ...shownBalance(write, spendableOf(units, held)) };
}
