import type { IncomingPayments } from '#features/fiat/payouts/payouts.ts';
import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import { done } from '#kernel/effects/outcome.ts';
import type { BookLine, BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { paymentLines, unbookedLines } from './unmatched/receipts-store.ts';

const LINES_MAX = 500;
const GRACE_MS = 2 * 3_600_000;

/** Books unbooked payments of the statement. */
type FollowUp = (references: readonly string[]) => Promise<void>;

interface RailDeps {
  readonly db: Db;
  readonly gateway: Pick<Gateway, 'statement'>;
  readonly followUp: FollowUp;
  /** A line without a taker among these is this rail's. */
  readonly incoming: Pick<IncomingPayments, 'takerOf'>;
}

/**
 * The gateway's books against ours: payments of purchases, and payments that pay none, also of unknown references.
 * Reading the statement books its unbooked payments.
 */
export const paymentRail = (deps: RailDeps): Rail => ({
  name: 'gateway',
  toleranceUnits: 0n,
  graceMs: GRACE_MS,
  isUsed: (db) => hasRows(db, 'idr_mints'),
  ours: ourPayments,
  theirs: (window, after) => theirs(deps, window, after),
});

async function theirs(
  { db, gateway, followUp, incoming }: RailDeps,
  window: BookWindow,
  after: string | undefined,
) {
  const page = await gateway.statement(window, after);
  if (page.kind !== 'done') return page;
  const { lines, next } = page.value;
  const own = lines.filter(
    ({ kind, reference }) => kind === 'payment' && !incoming.takerOf(reference),
  );
  const unbooked = await unbookedLines(db, own, { isKnown: true });
  const found = own.filter(({ line }) => unbooked.has(line));
  if (found.length > 0) await followUp(found.map(({ reference }) => reference));
  return done<BookPage>({ lines: own, ...(next !== undefined && { next }) });
}

async function ourPayments(db: Db, window: BookWindow, after?: string): Promise<BookPage> {
  const rows = await paymentLines(db, window, after, LINES_MAX);
  const lines = rows.map(
    ({ reference_id: reference, line, units, at, client_id: clientId }): BookLine => ({
      line,
      reference,
      kind: 'payment',
      asset: 'IDR',
      clientId,
      units,
      at: new Date(at),
    }),
  );
  const last = rows.at(-1);
  return rows.length === LINES_MAX && last ? { lines, next: last.place } : { lines };
}
