import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import type { BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import type { ExchangePort } from '#providers/exchange/port.ts';
import { listAtExchange, type RailPosition } from './rail-store.ts';

const PAGE = 1000;
/** An order is booked when it has ended, a withdrawal when it has arrived: both may take a while. */
const EXCHANGE_GRACE_MS = 6 * 3_600_000;

/** Our bookings of conversions against the exchange's statement. */
export const exchangeRail = (exchange: Pick<ExchangePort, 'statement'>): Rail => ({
  name: 'exchange',
  toleranceUnits: 0n,
  graceMs: EXCHANGE_GRACE_MS,
  isUsed: (db) => hasRows(db, 'conversion_jobs'),
  ours: pageOf,
  theirs: (window, after) => exchange.statement(window, after),
});

async function pageOf(db: Db, window: BookWindow, after?: string): Promise<BookPage> {
  const rows = await listAtExchange(db, window, after ? placeIn(after) : undefined, PAGE);
  const end = rows.at(-1);
  return {
    lines: rows.map(({ client_id: clientId, at, moment, n, id, ...row }) => ({
      ...row,
      clientId,
      at: new Date(at),
    })),
    ...(rows.length === PAGE && end && { next: `${end.n} ${end.id} ${end.moment}` }),
  };
}

function placeIn(after: string): RailPosition {
  const [n, id, ...moment] = after.split(' ');
  return { n: Number(n), id: Number(id), moment: moment.join(' ') };
}
