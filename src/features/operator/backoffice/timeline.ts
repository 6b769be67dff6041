import {
  type MomentDeps,
  type MomentSources,
  momentsOf,
} from '#features/messaging/payments/payments.ts';
import {
  type SuspensionState,
  withSuspensions,
} from '#features/operator/suspensions/suspensions.ts';
import type { Db } from '#kernel/db/db.ts';
import { uuidOf } from '#kernel/events/event-id.ts';
import type { LoggedEvent } from '#kernel/events/event-log.ts';
import { asidesOf, type DeskMoment } from './asides.ts';
import type { BackofficeDeps } from './deps.ts';
import {
  clientsNamed,
  eventsOfPerson,
  findAnyEvent,
  type NamedClient,
  type NamedUser,
  usersNamed,
} from './timeline-store.ts';

export type TimelineDeps = MomentDeps & MomentSources & Pick<BackofficeDeps, 'payments'>;

export interface Timeline {
  readonly people: (NamedUser & SuspensionState)[];
  /** Clients that the term names, and those of the users found. */
  readonly clients: (NamedClient & SuspensionState)[];
  /** Oldest first; of each kind the latest where there are more than are shown. */
  readonly moments: DeskMoment[];
  /** Other names of the same object, which the search followed. */
  readonly names: string[];
}

/**
 * Finds a user (by e-mail address, user name or id), a payment by whatever anybody calls it, another object by its id
 * or reference, a transaction by its hash, or an event, call, flow or inbound event by its id, and what is recorded of it.
 */
export async function timelineOf(db: Db, deps: TimelineDeps, name: string): Promise<Timeline> {
  const people = await usersNamed(db, name);
  const own: LoggedEvent[] = [];
  for (const { user_id } of people) own.push(...(await eventsOfPerson(db, user_id)));
  const references = await deps.references(name);
  const payments = (await deps.payments(name)).filter((other) => !isShort(other));
  const asides = await asidesOf(db, name);
  const known = [name, ...references, ...payments, ...(await namedByEvent(db, name))];
  const { moments, names } = await momentsOf(db, deps, [...known, ...asides.names], own);
  const standing = await standingOf(db, name, people);
  return {
    ...standing,
    moments: [...moments, ...asides.moments].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    names: names.filter((other) => other !== name),
  };
}

/** A short number is the number of too many things. */
const isShort = (name: string): boolean => /^\d{1,9}$/.test(name);

/** Whether they are suspended, and why: the first question about a user who cannot log in. */
async function standingOf(db: Db, name: string, people: readonly NamedUser[]) {
  const own = people.map(({ client_id }) => client_id);
  return {
    people: await withSuspensions(db, 'user_id', people),
    clients: await withSuspensions(db, 'client_id', await clientsNamed(db, name, own)),
  };
}

async function namedByEvent(db: Db, name: string): Promise<string[]> {
  const event_id = uuidOf(name);
  if (event_id === undefined) return [];
  const event = await findAnyEvent(db, event_id);
  return event ? [event.object_id] : [];
}
