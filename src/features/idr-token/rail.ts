import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import { done } from '#kernel/effects/outcome.ts';
import type { BookLine, BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { paymentsBetween } from './mint-store.ts';

const LINES_MAX = 500;
const GRACE_MS = 2 * 3_600_000;

/** The gateway's books against ours: payments of purchases. What nobody knows is here, too. */
export const paymentRail = (gateway: Pick<Gateway, 'statement'>): Rail => ({
  ...{ name: 'gateway', toleranceUnits: 0n, graceMs: GRACE_MS },
  isUsed: (db) => hasRows(db, 'idr_mints'),
  ours: ourPayments,
  theirs: (window, after) => theirs(gateway, window, after),
});

async function theirs(
  gateway: Pick<Gateway, 'statement'>,
  window: BookWindow,
  after: string | undefined,
) {
  const page = await gateway.statement(window, after);
  if (page.kind !== 'done') return page;
  const { lines, next } = page.value;
  const own = lines.filter(({ kind }) => kind === 'payment');
  return done<BookPage>({ lines: own, ...(next !== undefined && { next }) });
}

async function ourPayments(db: Db, window: BookWindow, after?: string): Promise<BookPage> {
  const rows = await paymentsBetween(db, window, placeOf(window, after), LINES_MAX);
  const lines = rows.map(
    ({ reference_id, paid_amount_idr, paid_at, client_id }): BookLine => ({
      ...{ line: reference_id, reference: reference_id, kind: 'payment', asset: 'IDR' },
      units: paid_amount_idr ?? 0n,
      at: new Date(paid_at ?? 0),
      clientId: client_id,
    }),
  );
  const last = rows.at(-1);
  return pageOf(lines, last && `${last.paid_at}|${last.mint_id}`);
}

const pageOf = (lines: readonly BookLine[], next: string | undefined): BookPage =>
  lines.length === LINES_MAX && next !== undefined ? { lines, next } : { lines };

/** Where a page begins: after that row, or at the window's first. */
function placeOf({ from }: BookWindow, after: string | undefined) {
  const [at = from.toISOString(), id = '0'] = after?.split('|') ?? [];
  return { at, id: Number(id) };
}
