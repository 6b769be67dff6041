import type { Clock } from '../clock.ts';
import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';
import { fail } from '../error.ts';
import { PROOF_LIVES_MS } from './operator-guard.ts';

/** The longest life of a log-in to the console, used or not. */
export const CONSOLE_LIVES_S = 8 * 3600;
const IDLE_MS = 30 * 60_000;
/** That it is at work is written down so often. */
const SEEN_EVERY_MS = 60_000;
/** Sessions that a process remembers to have seen: the operator has fewer admins. */
const SEEN_MAX = 10_000;

/** What was last seen before has ended. */
export const idleSince = (at: string): string => new Date(Date.parse(at) - IDLE_MS).toISOString();

/** How it stands with one. */
export type ConsoleSessionState = Pick<
  Row<'sessions', 'method' | 'expires_at'>,
  'method' | 'expires_at'
> & {
  readonly idle_until: string;
  /** Until when what is dangerous may be done; null where it may not. */
  readonly proved_until: string | null;
};

/** What log-ins to the console have beyond others (decisions: the console). */
export interface ConsoleSessions {
  /**
   * Notes that the session is in use. Throws TOKEN_EXPIRED where it was not for half an hour, and
   * STEP_UP_REQUIRED where a proof is needed and the last one is too old.
   */
  enter(session_id: string, needsProof: boolean): undefined | Promise<undefined>;
  /** Its holder has just proven to be more than that. */
  prove(tx: Db, session_id: string): Promise<ConsoleSessionState>;
  find(db: Db, session_id: string): Promise<ConsoleSessionState>;
}

type Found = Row<'sessions', 'method' | 'expires_at' | 'seen_at' | 'proved_at'>;

const COLUMNS = 'method, expires_at, seen_at, proved_at';
const OPEN = 'session_id = $1 and revoked_at is null and expires_at > $2 and seen_at > $3';
const READ = `select ${COLUMNS} from sessions where ${OPEN}`;
const SEE = `update sessions set seen_at = greatest(seen_at, $2) where ${OPEN} returning ${COLUMNS}`;
const PROVE = `
  update sessions set seen_at = greatest(seen_at, $2), proved_at = $2 where ${OPEN} returning ${COLUMNS}`;

export function createConsoleSessions({ db, clock }: { db: Db; clock: Clock }): ConsoleSessions {
  const seen = new Map<string, number>();

  async function ask(within: Db, text: string, session_id: string): Promise<ConsoleSessionState> {
    const now = clock.now();
    const values = [session_id, now, new Date(now.getTime() - IDLE_MS)];
    const [found] = await run<Found>(within, text, values);
    if (!found) throw fail('TOKEN_EXPIRED', 'The log-in to the console has ended');
    return standingOf(found, now.getTime());
  }

  async function see(session_id: string): Promise<ConsoleSessionState> {
    const at = clock.now().getTime();
    const standing = await ask(db, SEE, session_id);
    if (seen.size >= SEEN_MAX) seen.clear();
    seen.set(session_id, at);
    return standing;
  }

  async function look(session_id: string, isFresh: boolean, needsProof: boolean) {
    const { proved_until } = await (isFresh ? ask(db, READ, session_id) : see(session_id));
    if (needsProof && proved_until === null)
      throw fail('STEP_UP_REQUIRED', 'Prove once more that it is you, to do this');
    return undefined;
  }

  return {
    enter(session_id, needsProof) {
      const age = clock.now().getTime() - (seen.get(session_id) ?? Number.NEGATIVE_INFINITY);
      const isFresh = age < SEEN_EVERY_MS;
      return isFresh && !needsProof ? undefined : look(session_id, isFresh, needsProof);
    },
    prove: (tx, session_id) => ask(tx, PROVE, session_id),
    find: (within, session_id) => ask(within, READ, session_id),
  };
}

function standingOf(
  { method, expires_at, seen_at, proved_at }: Found,
  now: number,
): ConsoleSessionState {
  const after = (at: string | null, ms: number) => Date.parse(at ?? '') + ms;
  const proved = after(proved_at, PROOF_LIVES_MS);
  return {
    method,
    expires_at,
    idle_until: new Date(Math.min(after(seen_at, IDLE_MS), Date.parse(expires_at))).toISOString(),
    proved_until: proved > now ? new Date(proved).toISOString() : null,
  };
}
