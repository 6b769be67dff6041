import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { balanceByName, houseAccount } from '#kernel/ledger/accounts.ts';
import { readTallies } from '#kernel/tallies/tallies.ts';
import type { Quotable } from './quote-price.ts';

type FxLimit = Omit<Row<'fx_limits'>, 'currency'> & { readonly currency: Quotable };

/** What the platform has bought or sold of a currency, and what open quotes would add; in units. */
export interface Position {
  readonly currency: Quotable;
  /** Below zero where it has sold more than it bought. */
  readonly posted: bigint;
  readonly quoted_in: bigint;
  readonly quoted_out: bigint;
  /** In cents of a US dollar. */
  readonly max_open_usd: bigint;
}

/** Makes others that quote these currencies wait until the commit. */
export async function lockPositions(tx: Db, currencies: readonly Quotable[]): Promise<void> {
  const text = `select from fx_limits where currency = any($1) order by currency for no key update`;
  await run(tx, text, [currencies]);
}

/**
 * Open quotes are read before what is posted: one that is used between the two counts as both, and never as neither.
 */
export async function readPositions(db: Db, currencies?: readonly Quotable[]): Promise<Position[]> {
  const limits = await run<FxLimit>(
    db,
    `select currency, max_open_usd from fx_limits
      where $1::text[] is null or currency = any($1) order by currency`,
    [currencies ?? null],
  );
  const open = await readTallies(db, 'open quotes');
  const positions: Position[] = [];
  for (const { currency, max_open_usd } of limits) {
    const { posted } = await balanceByName(db, houseAccount('fx', currency));
    const quoted_in = BigInt(open.get(`in ${currency}`) ?? 0);
    const quoted_out = BigInt(open.get(`out ${currency}`) ?? 0);
    positions.push({ currency, posted, quoted_in, quoted_out, max_open_usd });
  }
  return positions;
}

type LimitsVersion = Row<'fx_limit_versions', 'version'>;

/** How often the limits were set, counted from one. */
export async function limitsVersion(db: Db): Promise<number> {
  const [row] = await run<LimitsVersion>(db, 'select version from fx_limit_versions', []);
  return row?.version ?? 1;
}

/** The same; others who set them wait until the commit. */
export async function lockLimitsVersion(tx: Db): Promise<number> {
  const text = 'select version from fx_limit_versions for no key update';
  return (await run<LimitsVersion>(tx, text, []))[0]?.version ?? 1;
}

/** Sets those that are named; answers the new version. Lock it before. */
export async function setLimits(
  tx: Db,
  limits: readonly Pick<Position, 'currency' | 'max_open_usd'>[],
  edited_by: number,
): Promise<number> {
  const sorted = limits.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  for (const { currency, max_open_usd } of sorted) {
    const text = 'update fx_limits set max_open_usd = $2 where currency = $1';
    await run(tx, text, [currency, max_open_usd.toString()]);
  }
  const text = `update fx_limit_versions set version = version + 1, edited_by = $1, updated_at = service_now()
    returning version`;
  const [row] = await run<LimitsVersion>(tx, text, [edited_by]);
  if (!row) throw new Error('The limits have no version');
  return row.version;
}
