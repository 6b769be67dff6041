import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import { done } from '#kernel/effects/outcome.ts';
import type { BookLine, BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import type { TryingDeps } from '../deps.ts';
import { followUpTries, isInvoiceReference } from './inbox.ts';
import { bookedReceipts, unbookedReferences } from './receipts-store.ts';

const LINES_MAX = 500;
const GRACE_MS = 2 * 3_600_000;

type RailDeps = Pick<TryingDeps, 'db' | 'gateway' | 'inboxes' | 'hints'>;

/**
 * Money of invoices in the gateway's books against ours, also what pays none. Reading the statement books what no
 * call-back has reported.
 */
export const invoiceRail = (deps: RailDeps): Rail => ({
  name: 'invoices',
  toleranceUnits: 0n,
  graceMs: GRACE_MS,
  isUsed: (db) => hasRows(db, 'invoice_receipts'),
  ours,
  theirs: (window, after) => theirs(deps, window, after),
});

async function theirs(deps: RailDeps, window: BookWindow, after: string | undefined) {
  const page = await deps.gateway.statement(window, after);
  if (page.kind !== 'done') return page;
  const { lines, next } = page.value;
  const own = lines.filter(
    ({ kind, reference }) => kind === 'payment' && isInvoiceReference(reference),
  );
  const unbooked = await unbookedReferences(deps.db, own);
  if (unbooked.length > 0) await followUpTries(deps, unbooked);
  return done<BookPage>({ lines: own, ...(next !== undefined && { next }) });
}

async function ours(db: Db, window: BookWindow, after?: string): Promise<BookPage> {
  const rows = await bookedReceipts(db, window, after, LINES_MAX);
  const lines = rows.map(
    ({ reference, line, units, client_id: clientId, at }): BookLine => ({
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
