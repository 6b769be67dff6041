import type { Address } from 'viem';
import { type EvmChain, readBalances } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { type Spendable, spendableOf } from '#kernel/money/shown-balance.ts';
import {
  type HoldPlace,
  NATIVE,
  type SpendingTaking,
  taken,
  takesSince,
  timeOf,
} from './holds-store.ts';

/** An address on one chain. */
export type HeldPlace = Row<'wallet_addresses', 'wallet_address' | 'chain_id'>;

/** Units that are set aside there, by the contract's address or `native`. */
export type SpendingHold = (place: HeldPlace, token: string) => bigint;

type HeldRow = HeldPlace & SpendingTaking;

/**
 * What managed wallets will pay of what their balances contain. Begun before the balances are read, and
 * finished afterwards: what is mined in between may count twice, and is never left out.
 */
export async function beginHeld(
  db: Db,
): Promise<(places: readonly HeldPlace[]) => Promise<SpendingHold>> {
  const since = await timeOf(db);
  return async (places) => {
    const rows = await run<HeldRow>(db, HELD, [
      places.map(({ wallet_address }) => wallet_address),
      places.map(({ chain_id }) => chain_id),
      since,
    ]);
    return ({ wallet_address, chain_id }, token) =>
      taken(
        rows.filter((row) => row.wallet_address === wallet_address && row.chain_id === chain_id),
        token,
      );
  };
}

const HELD = `
  select h.wallet_address, h.chain_id, h.token_contract, h.units, h.gas
  from unnest($1::text[], $2::text[]) p (wallet_address, chain_id)
  join wallet_holds h on h.wallet_address = p.wallet_address and h.chain_id = p.chain_id
  where ${takesSince('$3::timestamptz')}`;

/** A balance in smallest units, and what of it can be spent. */
export interface SpendableUnits extends Spendable {
  readonly units: bigint;
}

/**
 * What a managed wallet has of the coin and of a token, and what of both can be spent. Nothing of a token that does not
 * answer. Throws a ChainError where the chain gives no answer.
 */
export async function readSpendable(
  { db, chain, address }: HoldPlace & { readonly chain: EvmChain },
  token: Address,
): Promise<{ readonly coin: SpendableUnits; readonly token: SpendableUnits | undefined }> {
  const finish = await beginHeld(db);
  const { native, tokens } = await readBalances(chain, address, [token]);
  const place = { wallet_address: address, chain_id: chain.info.key };
  const held = await finish([place]);
  const left = (units: bigint, of: string) => ({ units, ...spendableOf(units, held(place, of)) });
  const [units] = tokens;
  return {
    coin: left(native, NATIVE),
    token: units === undefined ? undefined : left(units, token),
  };
}
