import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import { money } from '#kernel/money/money.ts';
import { done, type Outcome } from '#kernel/provider-call.ts';
import {
  type BookLine,
  type BookPage,
  type BookWindow,
  LINES_MAX,
  type Rail,
} from '#kernel/reconciliation/rail.ts';
import { type BankLink, EVENT_PAGE, type TransferEvent } from '#providers/plaid/port.ts';
import { type BookedLine, bookedLines, type TopUpState } from './top-up-store.ts';

/** The provider's pages are short, so that one of ours has several. */
const THEIRS_IN_ONE = 20;
/** Webhooks report events at once, and a poll does every ten minutes. */
const GRACE_MS = 3600_000;
const MOVES = ['settled', 'returned'] as const;

/** Our bookings of bank transfers, and the provider's events of the same days. */
export const bankRail = (bankLink: BankLink): Rail => ({
  name: 'bank-link',
  toleranceUnits: 0n,
  graceMs: GRACE_MS,
  isUsed: (db) => hasRows(db, 'bank_top_ups'),
  ours: ourPage,
  theirs: (window, after) => theirPage(bankLink, window, Number(after ?? 0)),
});

async function ourPage(db: Db, window: BookWindow, after?: string): Promise<BookPage> {
  const rows = await bookedLines(db, window, after ? placeIn(after) : undefined, LINES_MAX);
  const last = rows.at(-1);
  const next = last && `${last.at} ${last.kind} ${last.reference}`;
  return { lines: rows.map(ourLine), ...(rows.length === LINES_MAX && next ? { next } : {}) };
}

function placeIn(after: string): TopUpState {
  const [at = '', kind, ...reference] = after.split(' ');
  return { at, kind: kind === 'return' ? 'return' : 'top-up', reference: reference.join(' ') };
}

const ourLine = ({ kind, reference, units, at, client }: BookedLine): BookLine => ({
  line: `${reference}:${kind}`,
  reference,
  kind,
  asset: 'USD',
  units,
  at: new Date(at),
  clientId: client,
});

/** Newest first, so that new events only make lines come twice; the offset is the number of events before. */
async function theirPage(
  bankLink: BankLink,
  window: BookWindow,
  offset: number,
): Promise<Outcome<BookPage>> {
  const lines: BookLine[] = [];
  const end = offset + THEIRS_IN_ONE * EVENT_PAGE;
  for (let place = offset; place < end; place += EVENT_PAGE) {
    const found = await bankLink.eventsBetween({ ...window, types: MOVES, offset: place });
    if (found.kind !== 'done') return found;
    for (const event of found.value.events) {
      const moved = event.type === 'settled' ? done(true) : await hadSettled(bankLink, event);
      if (moved.kind !== 'done') return moved;
      if (moved.value) lines.push(theirLine(event));
    }
    if (!found.value.hasMore) return done({ lines });
  }
  return done({ lines, next: String(end) });
}

/** A transfer that comes back before it has settled never came. */
async function hadSettled(
  bankLink: BankLink,
  { transferId, at }: TransferEvent,
): Promise<Outcome<boolean>> {
  const from = new Date(0);
  const to = new Date(Date.parse(at) + 1000);
  const types = ['settled'] as const;
  const found = await bankLink.eventsBetween({ from, to, types, offset: 0, transferId });
  return found.kind === 'done' ? done(found.value.events.length > 0) : found;
}

function theirLine({ eventId, transferId, type, amount, at }: TransferEvent): BookLine {
  const { units } = money('USD', amount ?? '0');
  return {
    line: String(eventId),
    reference: transferId,
    kind: type === 'settled' ? 'top-up' : 'return',
    asset: 'USD',
    units: type === 'settled' ? units : -units,
    at: new Date(at),
  };
}
