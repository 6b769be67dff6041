import { done } from '#kernel/effects/outcome.ts';
import type { Asset } from '#kernel/money/money.ts';
import type { BookLine, BookPage, Rail } from '#kernel/reconciliation/rail.ts';
import type { BankHost } from '#providers/bank-host/port.ts';
import { hasHostPayouts, hostLinesBetween } from './host-store.ts';

const LINES_MAX = 500;
/** A pay-out is booked when a poll finds it settled, up to an hour after the bank. */
const GRACE_MS = 3 * 3_600_000;

/** Polls pay-outs of which the bank's entries say that they came back. */
type FollowUp = (references: readonly string[]) => Promise<void>;

/**
 * The bank host's booked entries against all pay-outs in its currencies: transfers, and returns of them. Reading its
 * entries follows those up that are not booked as returned yet.
 */
export const hostRail = (bankHost: Pick<BankHost, 'statement'>, followUp: FollowUp): Rail => ({
  name: 'bank-host',
  toleranceUnits: 0n,
  graceMs: GRACE_MS,
  isUsed: hasHostPayouts,
  async ours(db, window, after) {
    const rows = await hostLinesBetween(db, window, { after, limit: LINES_MAX });
    const lines = rows.map(
      ({ reference, kind, asset, units, at, client_id: clientId }): BookLine => ({
        line: kind === 'return' ? `${reference}:return` : reference,
        reference,
        kind,
        asset: asset as Asset,
        clientId,
        units,
        at: new Date(at),
      }),
    );
    const last = rows.at(-1);
    return rows.length === LINES_MAX && last ? { lines, next: last.place } : { lines };
  },
  async theirs(window, after) {
    const page = await bankHost.statement(window, after);
    if (page.kind !== 'done') return page;
    const { lines, next } = page.value;
    const back = lines.filter(({ kind }) => kind === 'return').map(({ reference }) => reference);
    if (back.length > 0) await followUp(back);
    return done<BookPage>({ lines, ...(next !== undefined && { next }) });
  },
});
