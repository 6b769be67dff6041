import {
  type AccessAllowance,
  type Attempt,
  type Attempts,
  accountOf,
} from '#kernel/access/attempts.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/error.ts';
import { networkOf } from '#kernel/network.ts';
import { approvalReader } from './approvals.ts';
import { countsAsDecline } from './refusals.ts';

const HOUR_MS = 3600_000;
/** Nobody owns so many cards that are declined: they are being tried out. */
const OF_ONE_USER: AccessAllowance = { failures: 20, withinMs: HOUR_MS };
/** Users are free to whoever has a client, so all users of one that nobody has approved count as few. */
const OF_NEW_ONES: AccessAllowance = { failures: 60, withinMs: HOUR_MS };
/** An approved client's server is one network to us, with thousands of people behind it. */
const OF_APPROVED_ONES: AccessAllowance = { failures: 1000, withinMs: HOUR_MS };

/**
 * How many cards may be under way in a process: none of them has been counted yet, so that this many
 * may be tried out beyond the numbers above, and no more.
 */
const AT_ONCE = 64;
const AT_ONCE_OF_NEW_ONES = 256;

/** Who asks an issuer about a card, and from where. */
export interface CardCaller {
  readonly user_id: number;
  readonly client_id: number;
  readonly ip: string;
}

/** Keeps stolen card numbers from being tried out here. */
export interface Declines {
  /**
   * Does what sends a card of the caller's choice to its issuer, or compares it with one that is known.
   * Throws RATE_LIMITED without asking anybody once the user, the client or the network has had too
   * many cards declined, or has too many under way.
   */
  watch<T>(requester: CardCaller, work: () => Promise<T>): Promise<T>;
}

interface DeclinesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly attempts: Attempts;
}

/** Whom a declined card counts against, how often, and how many may be under way. */
interface Suspect {
  readonly name: string;
  readonly attempt: Attempt;
  readonly atOnce: number;
}

/**
 * Declines are counted in the database, for all processes. That there were too many is remembered by
 * the process that had the last of them, so that good cards cost no statement more.
 */
export function createDeclines({ db, clock, attempts }: DeclinesDeps): Declines {
  /** Until when, in milliseconds, by suspect. */
  const shut = new Map<string, number>();
  /** How many, by suspect. */
  const underWay = new Map<string, number>();
  const approved = approvalReader(db, clock);

  return {
    async watch(requester, work) {
      const suspects = suspectsOf(requester, await approved(requester));
      for (const suspect of suspects) admit(suspect, { shut, underWay, clock });
      for (const { name } of suspects) underWay.set(name, (underWay.get(name) ?? 0) + 1);
      try {
        return await work();
      } catch (error) {
        if (countsAsDecline(error)) await note(suspects);
        throw error;
      } finally {
        for (const { name } of suspects) finish(name);
      }
    },
  };

  function finish(name: string): void {
    const left = (underWay.get(name) ?? 1) - 1;
    if (left > 0) underWay.set(name, left);
    else underWay.delete(name);
  }

  async function note(suspects: readonly Suspect[]): Promise<void> {
    await attempts.recordFailure(db, ...suspects.map(({ attempt }) => attempt));
    for (const { name, attempt } of suspects)
      try {
        await attempts.admit(db, attempt);
      } catch (error) {
        if (!(error instanceof AppError) || error.retryAfter === undefined) throw error;
        shut.set(name, clock.now().getTime() + error.retryAfter * 1000);
      }
    const now = clock.now().getTime();
    for (const [name, until] of shut) if (until <= now) shut.delete(name);
  }
}

interface Kept {
  readonly shut: Map<string, number>;
  readonly underWay: ReadonlyMap<string, number>;
  readonly clock: Clock;
}

function admit({ name, atOnce }: Suspect, { shut, underWay, clock }: Kept): void {
  const waitMs = (shut.get(name) ?? 0) - clock.now().getTime();
  if (waitMs > 0)
    throw fail('RATE_LIMITED', 'Too many declined cards, try again later', {
      retryAfter: Math.ceil(waitMs / 1000),
    });
  shut.delete(name);
  if ((underWay.get(name) ?? 0) >= atOnce)
    throw fail('RATE_LIMITED', 'Too many cards at once, try again shortly', { retryAfter: 1 });
}

/** Approved clients and others share no count of a network, so that neither pays for the other. */
function suspectsOf({ user_id, client_id, ip }: CardCaller, approved: boolean): readonly Suspect[] {
  const allowance = approved ? OF_APPROVED_ONES : OF_NEW_ONES;
  const atOnce = approved ? Number.POSITIVE_INFINITY : AT_ONCE_OF_NEW_ONES;
  const user = `card ${accountOf(user_id)}`;
  const client = `card client:${client_id}`;
  const network = approved ? 'card network approved' : 'card network new';
  return [
    { name: user, attempt: { accounts: [user], allowance: OF_ONE_USER }, atOnce: AT_ONCE },
    { name: client, attempt: { accounts: [client], allowance }, atOnce },
    {
      name: `${network} ${networkOf(ip)}`,
      attempt: { accounts: [network], ip, allowance },
      atOnce,
    },
  ];
}
