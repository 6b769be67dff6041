import { done } from '#kernel/effects/outcome.ts';
import type { BookLine, BookPage, Rail } from '#kernel/reconciliation/rail.ts';
import type { CardMessages } from '#providers/issuing/port.ts';
import { hasDisputeLines, type WonDispute, wonBetween } from './rail-store.ts';

const LINES_MAX = 500;
/** A dispute of which no notification comes is asked about every six hours. */
const GRACE_MS = 12 * 3_600_000;
const KIND = 'charge-back';

/** What the network has given back for disputes, against those that are won here: by the settlement that was disputed. */
export const cardDisputeRail = (issuing: Pick<CardMessages, 'messagesBetween'>): Rail => ({
  name: 'issued-card-disputes',
  toleranceUnits: 0n,
  graceMs: GRACE_MS,
  isUsed: hasDisputeLines,
  async ours(db, window, after) {
    const rows = await wonBetween(db, window, { after, limit: LINES_MAX });
    const last = rows.at(-1);
    const lines = rows.map(wonLine);
    return rows.length === LINES_MAX && last ? { lines, next: last.place } : { lines };
  },
  async theirs(window, after) {
    const page = await issuing.messagesBetween(window, after);
    if (page.kind !== 'done') return page;
    const { messages, next } = page.value;
    const lines = messages.flatMap(
      ({ kind, isDeclined, token, follows, currency, units, at }): BookLine[] =>
        kind === 'charge_back' && !isDeclined && at
          ? [{ line: token, reference: follows ?? token, kind: KIND, asset: currency, units, at }]
          : [],
    );
    return done<BookPage>({ lines, ...(next !== undefined && { next }) });
  },
});

const wonLine = (won: WonDispute): BookLine => ({
  line: won.object_id,
  reference: won.transaction_token,
  kind: KIND,
  asset: won.currency,
  clientId: won.client_id,
  units: won.amount,
  at: new Date(won.won_at),
});
