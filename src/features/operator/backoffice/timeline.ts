import type { SentTransaction } from '#chains/port.ts';
import {
  type SuspensionState,
  withSuspensions,
} from '#features/operator/suspensions/suspensions.ts';
import type { Db } from '#kernel/db/db.ts';
import { uuidOf } from '#kernel/events/event-id.ts';
import type { LoggedEvent } from '#kernel/events/event-log.ts';
import type { Posting, WorkHistory } from './open-work.ts';
import {
  clientsNamed,
  eventsOfObjects,
  eventsOfPerson,
  findAnyEvent,
  type NamedClient,
  type NamedUser,
  SHOWN_MAX,
  usersNamed,
} from './timeline-store.ts';

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

export interface Timeline {
  readonly people: (NamedUser & SuspensionState)[];
  /** Clients that the term names, and those of the users found. */
  readonly clients: (NamedClient & SuspensionState)[];
  /** Oldest first; of each kind the latest where there are more than are shown. */
  readonly moments: Moment[];
  /** Other names of the same object, which the search followed. */
  readonly names: string[];
}

/** Lookups outside of the features: work in flight, the ledger and the chains. */
export interface TimelineSources {
  stories(names: readonly string[]): Promise<WorkHistory[]>;
  postings(names: readonly string[]): Promise<Posting[]>;
  transactions(names: readonly string[]): Promise<SentTransaction[]>;
  /** Our references of the transactions with that hash, on any chain. */
  references(hash: string): Promise<string[]>;
}

export interface TimelineDeps extends TimelineSources {
  /** The object types of events: `payment`, `wallet`. */
  objects(): readonly string[];
}

/** How many names a search follows: one operation has a handful. */
const NAMES_MOST = 10;

/**
 * Finds a user (by e-mail address, user name or id), a payment or another object by its id or reference, a
 * transaction by its hash, or an event, call, flow or inbound event by its id, and what is recorded of it.
 */
export async function timelineOf(db: Db, deps: TimelineDeps, name: string): Promise<Timeline> {
  const people = await usersNamed(db, name);
  const own: LoggedEvent[] = [];
  for (const { user_id } of people) own.push(...(await eventsOfPerson(db, user_id)));
  const references = await deps.references(name);
  const names = new Set([
    ...[name, ...references, ...[name, ...references].map(withoutPrefix)],
    ...(await namedByEvent(db, name)),
  ]);
  const events = await eventsOfObjects(db, deps.objects(), [...names]);
  for (const { operation } of events)
    if (operation !== null && names.size < NAMES_MOST) names.add(operation);
  const stories = await deps.stories([...names]);
  const moments = [
    ...[...own, ...events].map(ofEvent),
    ...stories.flatMap(ofStory),
    ...(await deps.postings([...names])).map(ofPosting),
    ...(await deps.transactions([...names])).flatMap(ofTransaction),
  ];
  const standing = await standingOf(db, name, people);
  return { ...standing, moments: inOrder(moments).slice(-SHOWN_MAX), names: [...names].slice(1) };
}

/** Whether they are suspended, and why: the first question about a user who cannot log in. */
async function standingOf(db: Db, name: string, people: readonly NamedUser[]) {
  const own = people.map(({ client_id }) => client_id);
  return {
    people: await withSuspensions(db, 'user_id', people),
    clients: await withSuspensions(db, 'client_id', await clientsNamed(db, name, own)),
  };
}

/** `onchain:<operation>` is of that operation, and `card:<reference>`, as a statement has it, of that payment. */
const withoutPrefix = (reference: string): string => reference.slice(reference.indexOf(':') + 1);

async function namedByEvent(db: Db, name: string): Promise<string[]> {
  const event_id = uuidOf(name);
  if (event_id === undefined) return [];
  const event = await findAnyEvent(db, event_id);
  return event ? [event.object_id] : [];
}

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
