import { Type } from 'typebox';
import { CHAINS } from '#chains/evm/port.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Clock } from '#kernel/clock.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Id, IdInput, Nullable, stamped, Timestamp } from '#kernel/http/declare/schema.ts';
import { dollars, type Holding, type HoldingsDeps, readHoldings, totalCents } from './holdings.ts';
import { ChainBalance } from './shapes.ts';
import { addressesOf, assetsOf, findWallet, type WalletAddress } from './store.ts';

const endpoint = endpoints(codedEnvelope);

/** What a wallet holds on every chain (contract: GET /wallets/{wallet_id}/balance). */
export const balanceRoute = (deps: HoldingsDeps & { readonly clock: Clock }): Route =>
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
      const holdings = await readHoldings(deps, addresses, assets);
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
            held.map(({ address, holding }) => [address.chain_id, onChain(address, holding)]),
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
const onChain = ({ chain_id, wallet_address }: WalletAddress, holding: Holding | undefined) => ({
  chain_id,
  wallet_address,
  native_balance: holding?.native_balance ?? null,
  native_symbol: CHAINS[chain_id].native,
  tokens: [...(holding?.tokens ?? [])],
  total_usd: dollars(holding?.cents),
  ...(holding?.fault && {
    error: { code: 'CHAIN_UNAVAILABLE', message: `${chain_id} cannot be reached at the moment` },
  }),
});
