import { done } from '#kernel/effects/outcome.ts';
import type { Asset } from '#kernel/money/money.ts';
import type { BookLine, BookPage, Rail } from '#kernel/reconciliation/rail.ts';
import type { CardMessages } from '#providers/issuing/port.ts';
import { type CardLine, cardLinesBetween, hasCardLines } from './rail-store.ts';

const LINES_MAX = 500;
/** A notification that got lost is repeated for days; most come within minutes. */
const GRACE_MS = 6 * 3_600_000;

/** What the processor has settled and given back, against what we have booked. */
export const issuedCardRail = (issuing: Pick<CardMessages, 'messagesBetween'>): Rail => ({
  name: 'issued-cards',
  toleranceUnits: 0n,
  graceMs: GRACE_MS,
  isUsed: hasCardLines,
  async ours(db, window, after) {
    const rows = await cardLinesBetween(db, window, { after, limit: LINES_MAX });
    const last = rows.at(-1);
    const lines = rows.map(bookLine);
    return rows.length === LINES_MAX && last ? { lines, next: last.place } : { lines };
  },
  async theirs(window, after) {
    const page = await issuing.messagesBetween(window, after);
    if (page.kind !== 'done') return page;
    const { messages, next } = page.value;
    const lines = messages.flatMap(
      ({ kind, isDeclined, token, currency, units, at }): BookLine[] =>
        (kind === 'settlement' || kind === 'refund') && !isDeclined && at
          ? [
              {
                line: token,
                reference: token,
                kind,
                asset: currency,
                units: kind === 'settlement' ? -units : units,
                at,
              },
            ]
          : [],
    );
    return done<BookPage>({ lines, ...(next !== undefined && { next }) });
  },
});

const bookLine = ({ token, type, asset, amount, client_id, at }: CardLine): BookLine => ({
  line: token,
  reference: token,
  kind: type,
  asset: asset as Asset,
  clientId: client_id,
  units: type === 'settlement' ? -amount : amount,
  at: new Date(at),
});
