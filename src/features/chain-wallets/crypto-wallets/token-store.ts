import type { ChainKey, TokenInfo } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { fail } from '#kernel/error.ts';
import { transact } from '#kernel/transact.ts';

/** All of an address's tokens are asked for in one request, which therefore has an end. */
const TOKENS_MAX = 100;

export type Imported = Row<'wallet_assets', 'asset_id'> &
  Row<'crypto_wallets', 'bw_id' | 'wallet_name'>;

/** The user's addresses on that chain, each with whether it has the token already. */
export const placesFor = (
  db: Db,
  user_id: number,
  chain_id: ChainKey,
  token: string,
): Promise<(Row<'wallet_addresses', 'address_id'> & { has_token: boolean })[]> =>
  run(
    db,
    `select a.address_id, exists (
       select from wallet_assets t
       where t.address_id = a.address_id and t.contract_address = $3) as has_token
     from wallet_addresses a join crypto_wallets w using (bw_id)
     where w.user_id = $1 and a.chain_id = $2`,
    [user_id, chain_id, token],
  );

/** What that request has added of the token, where it has. */
export const importedBy = (
  db: Db,
  user_id: number,
  token: string,
  operation: string,
): Promise<Imported[]> =>
  run(
    db,
    `select t.asset_id, w.bw_id, w.wallet_name
     from crypto_wallets w join wallet_addresses a using (bw_id) join wallet_assets t using (address_id)
     where w.user_id = $1 and t.contract_address = $2 and t.imported_by = $3 order by t.asset_id`,
    [user_id, token, operation],
  );

/**
 * Adds the token to those of the user's addresses on that chain that lack it. LIMIT_EXCEEDED when one
 * of them has too many; nothing is added then.
 */
export function insertToken(
  db: Db,
  user_id: number,
  chain_id: ChainKey,
  { address, symbol, name, decimals, imported_by }: TokenInfo & Row<'wallet_assets', 'imported_by'>,
): Promise<Imported[]> {
  return transact(db, async (tx) => {
    // Imports to one address take turns, so that together they keep to the limit.
    await run(
      tx,
      `select from wallet_addresses a join crypto_wallets w using (bw_id)
       where w.user_id = $1 and a.chain_id = $2 order by a.address_id for no key update of a`,
      [user_id, chain_id],
    );
    const imported = await run<Imported>(
      tx,
      `with added as (
         insert into wallet_assets
           (address_id, chain_id, contract_address, symbol, name, decimals, imported_by)
         select a.address_id, a.chain_id, $3, $4, $5, $6, $7
         from wallet_addresses a join crypto_wallets w using (bw_id)
         where w.user_id = $1 and a.chain_id = $2
         on conflict on constraint wallet_assets_once do nothing
         returning asset_id, address_id
       )
       select asset_id, bw_id, wallet_name
       from added join wallet_addresses using (address_id) join crypto_wallets using (bw_id)
       order by asset_id`,
      [user_id, chain_id, address, symbol, name, decimals, imported_by],
    );
    const full = await run(
      tx,
      `select address_id from wallet_assets
       join wallet_addresses a using (address_id) join crypto_wallets w using (bw_id)
       where w.user_id = $1 and a.chain_id = $2
       group by address_id having count(*) > ${TOKENS_MAX} limit 1`,
      [user_id, chain_id],
    );
    if (full.length > 0)
      throw fail('LIMIT_EXCEEDED', `An address has at most ${TOKENS_MAX} tokens`);
    return imported;
  });
}
