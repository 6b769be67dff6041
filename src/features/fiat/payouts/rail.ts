import { done } from '#kernel/effects/outcome.ts';
import type { BookLine, BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import type { PayoutPayer } from './payer.ts';
import { paidBetween } from './payout-store.ts';

const LINES_MAX = 500;

/** A payer's booked pay-outs against those of its references in the gateway's statement. */
export const payoutRail = (
  gateway: Pick<Gateway, 'statement'>,
  { name: payer, rail }: PayoutPayer,
  isOwn: (reference: string) => boolean,
): Rail => ({
  ...rail,
  toleranceUnits: 0n,
  async ours(db, window, after) {
    const rows = await paidBetween(db, payer, window, { after, limit: LINES_MAX });
    const lines = rows.map(
      ({ reference, units, paid_at, client_id: clientId }): BookLine => ({
        line: reference,
        reference,
        kind: 'payout',
        asset: 'IDR',
        clientId,
        units: -units,
        at: new Date(paid_at ?? 0),
      }),
    );
    const last = rows.at(-1);
    return rows.length === LINES_MAX && last ? { lines, next: last.place } : { lines };
  },
  theirs: (window, after) => theirs(gateway, isOwn, window, after),
});

async function theirs(
  gateway: Pick<Gateway, 'statement'>,
  isOwn: (reference: string) => boolean,
  window: BookWindow,
  after: string | undefined,
) {
  const page = await gateway.statement(window, after);
  if (page.kind !== 'done') return page;
  const { lines, next } = page.value;
  const own = lines.filter(({ kind, reference }) => kind === 'payout' && isOwn(reference));
  return done<BookPage>({ lines: own, ...(next !== undefined && { next }) });
}
