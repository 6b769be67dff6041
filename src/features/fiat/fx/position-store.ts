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
