import { type Db, run } from '#kernel/db/db.ts';
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
