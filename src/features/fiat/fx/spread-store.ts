import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Quotable } from './quote-price.ts';
import { QUOTE_PERIODS, type QuotePeriod } from './quote-store.ts';

/**
 * What is taken off a pair for a client, in hundredths of a percent: its own row or the operator's, of which the higher
 * one counts; of either the row of the pair before the general one.
 */
export async function spreadOf(
  db: Db,
  client_id: number | undefined,
  { from, to, valid_for }: SpreadPair,
): Promise<number> {
  const best = (owner: string) => `(select bps from fx_spreads where ${owner} and valid_for = $4
    and (from_currency, to_currency) in (($2, $3), ('', '')) order by from_currency desc limit 1)`;
  const text = `select greatest(${best('client_id = $1')}, ${best('client_id is null')}) as spread`;
  const values = [client_id ?? null, from, to, valid_for];
  const [row] = await run<{ spread: number | null }>(db, text, values);
  if (typeof row?.spread !== 'number') throw new Error(`No spread of ${valid_for}`);
  return row.spread;
}

export interface SpreadPair {
  /** Both empty for the pairs that have no row of their own. */
  readonly from: Quotable | '';
  readonly to: Quotable | '';
  readonly valid_for: QuotePeriod;
}

/** What is taken off pairs that have no row of their own, for each time that a price holds. */
export const generalSpreads = (
  db: Db,
  client_id: number | undefined,
): Promise<{ period: QuotePeriod; spread_bps: number }[]> =>
  Promise.all(
    (Object.keys(QUOTE_PERIODS) as QuotePeriod[]).map(async (period) => ({
      period,
      spread_bps: await spreadOf(db, client_id, { from: '', to: '', valid_for: period }),
    })),
  );

export type SpreadRow = SpreadPair & Row<'fx_spreads', 'bps'>;
type SpreadVersion = Row<'fx_spread_versions', 'version'>;

/** The rows of a client, or with null the operator's. */
export const readSpreads = (db: Db, owner: number | null): Promise<SpreadRow[]> =>
  run<SpreadRow>(
    db,
    `select from_currency as "from", to_currency as "to", valid_for, bps from fx_spreads
      where client_id is not distinct from $1 order by from_currency, to_currency, bps, valid_for`,
    [owner],
  );

/** How often the rows were replaced, counted from one. */
export async function spreadVersion(db: Db, owner: number | null): Promise<number> {
  const text = 'select version from fx_spread_versions where client_id is not distinct from $1';
  return (await run<SpreadVersion>(db, text, [owner]))[0]?.version ?? 1;
}

/** The same; others who replace them wait until the commit. */
export async function lockSpreadVersion(tx: Db, owner: number | null): Promise<number> {
  await run(
    tx,
    `insert into fx_spread_versions (client_id, version) values ($1, 1) on conflict (client_id) do nothing`,
    [owner],
  );
  const text = `select version from fx_spread_versions where client_id is not distinct from $1
    for no key update`;
  return (await run<SpreadVersion>(tx, text, [owner]))[0]?.version ?? 1;
}

/** Replaces all rows; answers the new version. Lock it before. */
export async function replaceSpreads(
  tx: Db,
  {
    owner,
    rows,
    edited_by,
  }: { owner: number | null; rows: readonly SpreadRow[]; edited_by: number },
): Promise<number> {
  await run(tx, 'delete from fx_spreads where client_id is not distinct from $1', [owner]);
  await run(
    tx,
    `insert into fx_spreads (client_id, from_currency, to_currency, valid_for, bps)
     select $1::integer, r."from", r."to", r.valid_for, r.bps
       from json_to_recordset($2::json) as r("from" text, "to" text, valid_for text, bps integer)`,
    [owner, JSON.stringify(rows)],
  );
  const text = `update fx_spread_versions set version = version + 1, edited_by = $2, updated_at = service_now()
    where client_id is not distinct from $1 returning version`;
  const [row] = await run<SpreadVersion>(tx, text, [owner, edited_by]);
  if (!row) throw new Error('The version of the spreads was not locked');
  return row.version;
}
