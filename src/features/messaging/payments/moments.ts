import type { SentTransaction } from '#chains/port.ts';
import type { Db } from '#kernel/db/db.ts';
import type { LoggedEvent } from '#kernel/events/event-log.ts';
import { eventsOfObjects, SHOWN_MAX } from './moment-store.ts';
import type { Posting, WorkHistory } from './work-history.ts';

/** One event or attempt. */
export interface Moment {
  readonly at: string;
  readonly what: 'event' | 'call' | 'step' | 'inbound' | 'posting' | 'transaction';
  /** Its type: `payment.succeeded`, `card-pull call`, `card-top-up`. */
  readonly type: string;
  /** Its object: an object of the API, an effect, a flow, a transfer. */
  readonly about: string;
  readonly details: unknown;
}

/** Lookups outside of the features: work in flight, the ledger and the chains. */
export interface MomentSources {
  stories(names: readonly string[]): Promise<WorkHistory[]>;
  postings(names: readonly string[]): Promise<Posting[]>;
  transactions(names: readonly string[]): Promise<SentTransaction[]>;
  /** Our references of the transactions with that hash, on any chain. */
  references(hash: string): Promise<string[]>;
}

export interface MomentDeps extends Omit<MomentSources, 'references'> {
  /** The object types of events: `payment`, `wallet`. */
  objects(): readonly string[];
  /** Of which events the reader may know; without it of all. */
  isSeen?(event: LoggedEvent): boolean;
}

/** How many names a search follows: one operation has a handful. */
const NAMES_MOST = 10;

/**
 * What is recorded of the things with one of these names, oldest first: their events, the calls and flows behind them,
 * what was posted and sent. Of each kind the latest; and the other names of the same things, which the search followed.
 */
export async function momentsOf(
  db: Db,
  deps: MomentDeps,
  given: readonly string[],
  more: readonly LoggedEvent[] = [],
): Promise<{ readonly moments: Moment[]; readonly names: string[] }> {
  const names = new Set([...given, ...given.map(withoutPrefix)]);
  const found = await eventsOfObjects(db, deps.objects(), [...names]);
  const events = found.filter((event) => deps.isSeen?.(event) ?? true);
  for (const { operation } of events)
    if (operation !== null && names.size < NAMES_MOST) names.add(operation);
  const stories = await deps.stories([...names]);
  const moments = [
    ...[...more, ...events].map(ofEvent),
    ...stories.flatMap(ofStory),
    ...(await deps.postings([...names])).map(ofPosting),
    ...(await deps.transactions([...names])).flatMap(ofTransaction),
  ];
  return { moments: inOrder(moments).slice(-SHOWN_MAX), names: [...names] };
}

/** `onchain:<operation>` is of that operation, and `card:<reference>`, as a statement has it, of that payment. */
const withoutPrefix = (reference: string): string => reference.slice(reference.indexOf(':') + 1);

/** Two names may find the same posting, and a user's event may be found by its object, too. */
function inOrder(moments: readonly Moment[]): Moment[] {
  const once = new Map(moments.map((one) => [JSON.stringify(one), one]));
  return [...once.values()].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const ofEvent = ({ at, type, object_type, object_id, ...event }: LoggedEvent): Moment => ({
  at,
  type,
  what: 'event',
  about: `${object_type} ${object_id}`,
  details: {
    request_id: event.request_id,
    actor: event.actor,
    operation: event.operation,
    data: JSON.parse(event.data) as unknown,
  },
});

const ofPosting = ({ created_at, kind, operation_key, entries }: Posting): Moment => ({
  at: created_at,
  what: 'posting',
  type: kind,
  about: operation_key,
  details: { entries },
});

/** Nothing before the transaction is in a block: its call says when it was sent. */
function ofTransaction({
  mined_at,
  purpose,
  reference,
  ...transaction
}: SentTransaction): Moment[] {
  if (mined_at === null) return [];
  const { chain_id, hash, status, block_number } = transaction;
  const details = { chain_id, hash, status, block_number };
  return [{ at: mined_at, what: 'transaction', type: purpose, about: reference, details }];
}

function ofStory(story: WorkHistory): Moment[] {
  switch (story.what) {
    case 'effect': {
      const { effect, postings, transactions } = story;
      const about = `${effect.kind} ${effect.id}`;
      return [
        ...effect.steps.map(
          ({ at, step, ...details }): Moment => ({ at, what: 'call', type: step, about, details }),
        ),
        ...postings.map(ofPosting),
        ...transactions.flatMap(ofTransaction),
      ];
    }
    case 'flow': {
      const { flow, path, postings } = story;
      const about = `${flow.type} ${flow.id}`;
      return [
        ...path.map(
          ({ entered_at, state, version }): Moment => ({
            at: entered_at,
            what: 'step',
            type: state,
            about,
            details: { version },
          }),
        ),
        ...postings.map(ofPosting),
      ];
    }
    case 'inbox': {
      const { source, id, received_at, receipts, processed_at, outcome, last_error } =
        story.received;
      return [
        {
          at: received_at,
          what: 'inbound',
          type: source,
          about: `${source} ${id}`,
          details: { receipts, processed_at, outcome, last_error },
        },
      ];
    }
  }
}
