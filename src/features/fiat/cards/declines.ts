import {
  type AccessAllowance,
  type Attempt,
  type Attempts,
  accountOf,
} from '#kernel/access/attempts.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { dryRunNow } from '#kernel/dry-run.ts';
import { fail } from '#kernel/error.ts';
import { networkOf } from '#kernel/network.ts';
import { createAtOnce, type PlaceLimit } from '#kernel/quota/at-once.ts';
import { approvalReader } from './approvals.ts';
import { countsAsDecline } from './refusals.ts';

const HOUR_MS = 3600_000;
/** So many declined cards belong to no single owner: somebody tries out stolen ones. */
const OF_ONE_USER: AccessAllowance = { failures: 20, withinMs: HOUR_MS };
/** On a page, and of a card wherever it is typed: a payer mistypes or is short of money a few times. */
const OF_ONE_PAGE: AccessAllowance = { failures: 5, withinMs: HOUR_MS };
/** Users are free to a client, so all users of a client that is not approved count as few. */
const OF_NEW_ONES: AccessAllowance = { failures: 60, withinMs: HOUR_MS };
/** An approved client's server is one network to us, with thousands of people behind it. */
const OF_APPROVED_ONES: AccessAllowance = { failures: 1000, withinMs: HOUR_MS };

/**
 * How many cards may be in flight in a process: none of them has been counted yet, so that this many
 * may be tried out beyond the numbers above, and no more.
 */
const AT_ONCE = 64;
const AT_ONCE_OF_NEW_ONES = 256;

/** The caller who sends a card to its issuer, and from where. */
export interface CardCaller {
  readonly user_id: number;
  readonly client_id: number;
  readonly ip: string;
  /** They have no log-in: they pay on a page. */
  readonly page?: CardPayPage | undefined;
}

/** A page on which people pay by card. */
export interface CardPayPage {
  /** What is paid there. */
  readonly name: string;
  /** The card, by its fingerprint. */
  readonly card: string;
}

/** Keeps stolen card numbers from being tried out here. */
export interface Declines {
  /**
   * Runs `work`, which sends a card of the caller's choice to its issuer, or compares it with a known one.
   * Throws RATE_LIMITED without running it once the user, the client or the network has had too
   * many cards declined, or has too many in flight.
   */
  watch<T>(requester: CardCaller, work: () => Promise<T>): Promise<T>;
}

interface DeclinesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly attempts: Attempts;
}

/** Whom a declined card counts against, how often, and how many may be in flight. */
interface Suspect extends PlaceLimit {
  readonly attempt: Attempt;
}

/**
 * Declines are counted in the database, for all processes. The process that saw the last of too many
 * remembers that, so that good cards cost no further statement.
 */
export function createDeclines({ db, clock, attempts }: DeclinesDeps): Declines {
  /** Until when a suspect is refused, in milliseconds. */
  const refusedUntil = new Map<string, number>();
  const inFlight = createAtOnce();
  const approved = approvalReader(db, clock);

  return {
    async watch(requester, work) {
      const suspects = suspectsOf(requester, await approved(requester));
      for (const { subject } of suspects) admit(subject);
      const leave = inFlight.take(suspects);
      if (typeof leave !== 'function')
        throw fail('RATE_LIMITED', 'Too many cards at once, try again shortly', { retryAfter: 1 });
      try {
        return await work();
      } catch (error) {
        if (countsAsDecline(error)) await recordDecline(suspects);
        throw error;
      } finally {
        leave();
      }
    },
  };

  function admit(subject: string): void {
    const waitMs = (refusedUntil.get(subject) ?? 0) - clock.now().getTime();
    if (waitMs > 0)
      throw fail('RATE_LIMITED', 'Too many declined cards, try again later', {
        retryAfter: Math.ceil(waitMs / 1000),
      });
    refusedUntil.delete(subject);
  }

  async function recordDecline(suspects: readonly Suspect[]): Promise<void> {
    const counted = suspects.map(({ attempt }) => attempt);
    await attempts.recordFailure(db, ...counted);
    const waits = await attempts.waitsOf(db, counted);
    // What a dry run has counted is undone.
    if (dryRunNow()) return;
    const now = clock.now().getTime();
    for (const [i, { subject }] of suspects.entries())
      if (waits[i]) refusedUntil.set(subject, now + waits[i] * 1000);
    for (const [subject, until] of refusedUntil) if (until <= now) refusedUntil.delete(subject);
  }
}

/** Approved clients and others share no count of a network, so that neither pays for the other. */
function suspectsOf(
  { user_id, client_id, ip, page }: CardCaller,
  approved: boolean,
): readonly Suspect[] {
  const allowance = approved ? OF_APPROVED_ONES : OF_NEW_ONES;
  const most = approved ? Number.POSITIVE_INFINITY : AT_ONCE_OF_NEW_ONES;
  // Strangers on pages of a client lock out none of its users.
  const client = page ? `card pages:${client_id}` : `card client:${client_id}`;
  const network = approved ? 'card network approved' : 'card network new';
  return [
    ...(page
      ? [suspect(`card page:${page.name}`, OF_ONE_PAGE), suspect(`card:${page.card}`, OF_ONE_PAGE)]
      : [suspect(`card ${accountOf(user_id)}`, OF_ONE_USER)]),
    { subject: client, attempt: { accounts: [client], allowance }, most },
    {
      subject: `${network} ${networkOf(ip)}`,
      attempt: { accounts: [network], ip, allowance },
      most,
    },
  ];
}

const suspect = (subject: string, allowance: AccessAllowance): Suspect => ({
  subject,
  attempt: { accounts: [subject], allowance },
  most: AT_ONCE,
});
