import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { defineJob, type Job, type JobAnswer } from '#kernel/jobs/job.ts';
import type { Jobs } from '#kernel/jobs/jobs.ts';
import type { Logger } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import {
  closeReceived,
  findReceived,
  type InboxKey,
  insertReceived,
  lockReceived,
  type OpenInbox,
  openInbox,
  type ReceivedEvent,
  reopenReceived,
} from './inbox-store.ts';
import type { Certain, Outcome } from './outcome.ts';

/**
 * The webhooks of one sender. Their endpoint is `signed` where they are signed, so that nothing of a
 * forgery is parsed, stores the event by `receive`, and answers: the rest is not the
 * sender's to wait for. `E` is what was understood of the call, `A` what we ask about it.
 */
export interface Inbox<E, A = undefined> {
  /** The sender: lower case with dashes. Names the queue `inbox.<source>`. */
  readonly source: string;
  /** How long what was handled is kept, against its repetition and for people. */
  readonly keptMs: number;
  /** What comes again under the same name is handled again, such as a hint; else it counts once. */
  readonly again?: boolean;
  /**
   * What the sender, or a better source, says when asked about it, outside any transaction. Without
   * an answer it is asked again later.
   */
  ask?(event: E): Promise<Outcome<A>>;
  /**
   * Acts on it, in the transaction that closes it. It may come again when an operator asks for that,
   * so it is guarded by the rows it changes. Answers the result in a word.
   */
  handle(tx: Db, event: E, receipt: Receipt<A>): Promise<string>;
}

export interface Receipt<A> {
  /** The sender's name for it. */
  readonly id: string;
  /** When it came for the first time. */
  readonly receivedAt: Date;
  /** What was asked about it, where something was. */
  readonly answer: Certain<A> | undefined;
}

export type AnyInbox = Inbox<unknown, unknown>;

export interface Inboxes {
  /** Makes senders known, before the jobs are opened. */
  register(inboxes: readonly AnyInbox[]): void;
  /**
   * Stores the event, with the job that handles it, in the caller's transaction; false where it is
   * known already.
   */
  receive<E, A>(tx: Db, inbox: Inbox<E, A>, id: string, event: E): Promise<boolean>;
  /** Handles it here and now; what is left open is the job's. Answers whether it is handled. */
  handleNow<E, A>(inbox: Inbox<E, A>, id: string): Promise<boolean>;
  /** Has it handled again, whatever its result was; false where there is none of that name. */
  replay(tx: Db, source: string, id: string): Promise<boolean>;
  find(db: Db, source: string, id: string): Promise<ReceivedEvent | undefined>;
  stats(db: Db): Promise<OpenInbox[]>;
}

interface Deps {
  readonly db: Kysely<DB>;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Handling {
  readonly id: string;
}

interface Desk extends Deps {
  readonly known: Map<string, { readonly inbox: AnyInbox; readonly job: Job<Handling> }>;
}

const MINUTE_MS = 60_000;
const PAUSE_MAX_MS = 60 * MINUTE_MS;
/** How often an event that arrives again and again is looked up. */
const AGAIN_MS = 5_000;

const SOURCE = /^[a-z][a-z0-9-]{0,59}$/;

/** Checks what would otherwise show with the first call. */
export function defineInbox<E, A = undefined>(inbox: Inbox<E, A>): Inbox<E, A> {
  if (!SOURCE.test(inbox.source)) throw new Error(`${inbox.source} is not a name for a sender`);
  return inbox;
}

export function createInboxes(deps: Deps): Inboxes {
  const desk: Desk = { ...deps, known: new Map() };
  return {
    register(inboxes) {
      for (const inbox of inboxes) desk.known.set(inbox.source, { inbox, job: jobOf(desk, inbox) });
      deps.jobs.register(inboxes.map(({ source }) => knownOf(desk, source).job));
    },
    async receive(tx, inbox, id, event) {
      const { source, again = false } = inbox;
      if (!(await insertReceived(tx, { source, id }, event, { again, at: deps.clock.now() })))
        return false;
      await follow(desk, tx, { source, id });
      return true;
    },
    handleNow: async (inbox, id) => (await handle(desk, inbox, id)) === undefined,
    async replay(tx, source, id) {
      if (!(await reopenReceived(tx, { source, id }, deps.clock.now()))) return false;
      await follow(desk, tx, { source, id });
      return true;
    },
    find: (db, source, id) => findReceived(db, { source, id }),
    stats: (db) => openInbox(db, deps.clock.now()),
  };
}

function knownOf({ known }: Desk, source: string) {
  const found = known.get(source);
  if (!found) throw new Error(`The inbox ${source} is not registered`);
  return found;
}

const follow = (desk: Desk, tx: Db, { source, id }: InboxKey): Promise<void> =>
  desk.jobs.enqueue(tx, knownOf(desk, source).job, { id }, { key: id });

const jobOf = (desk: Desk, inbox: AnyInbox): Job<Handling> =>
  defineJob<Handling>({
    name: `inbox.${inbox.source}`,
    run: ({ id }) => handle(desk, inbox, id),
    rows: {
      what: 'inbox',
      kind: inbox.source,
      keptMs: inbox.keptMs,
      follow: (tx, id) => follow(desk, tx, { source: inbox.source, id }),
    },
  });

/** Until it is handled as it was last received; later, where the source does not answer, or hints do not end. */
async function handle(desk: Desk, inbox: AnyInbox, id: string): JobAnswer {
  const { db, clock, log } = desk;
  const { source } = inbox;
  for (let isLast = false; ; isLast = true) {
    const read = await findReceived(db, { source, id });
    if (!read || read.processed_at !== null) return undefined;
    const answer = await inbox.ask?.(read.event);
    if (answer?.kind === 'unknown') {
      log.info({ source, id, cause: answer.cause }, 'A received event stays open');
      const ageMs = clock.now().getTime() - Date.parse(read.waits_since);
      const pauseMs = Math.min(Math.max(ageMs, MINUTE_MS), PAUSE_MAX_MS);
      return { again: new Date(clock.now().getTime() + pauseMs) };
    }
    const receipt = { id, receivedAt: new Date(read.received_at), answer };
    if (await act(desk, inbox, { read, receipt, isLast })) return undefined;
    if (isLast) return { again: new Date(clock.now().getTime() + AGAIN_MS) };
  }
}

interface Asked {
  readonly read: ReceivedEvent;
  readonly receipt: Receipt<unknown>;
  /** The answer counts even if the event has arrived again since: a sender may repeat without end. */
  readonly isLast: boolean;
}

/** Answers whether nothing of it is left to be handled. */
const act = (
  { db, clock }: Desk,
  inbox: AnyInbox,
  { read, receipt, isLast }: Asked,
): Promise<boolean> =>
  transact(db, async (tx) => {
    const now = await lockReceived(tx, read);
    if (now === undefined) return true;
    const isSame = now.receipts === read.receipts;
    if (!isSame && !isLast) return false;
    const outcome = await inbox.handle(tx, read.event, receipt);
    if (isSame) await closeReceived(tx, read, outcome, clock.now());
    return isSame;
  });
