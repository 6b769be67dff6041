import type { Messages } from '#features/messages/messages.ts';
import {
  type Attempt,
  type Attempts,
  accountOf,
  tooManyAttempts,
} from '#kernel/access/attempts.ts';
import { recordNetwork, usersKnownIn } from '#kernel/access/known-networks.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { notifyOwners } from './notify-owners.ts';

const DAY_MS = 24 * 3600_000;
/** What all networks together have in which the owner never logged in. */
const UNKNOWN_NETWORKS = { failures: 50, withinMs: DAY_MS };

/** A user whose password is tried, and from where. */
export interface PasswordTry {
  /** Missing where no user has the name that was tried. */
  readonly user_id?: number;
  /** `user:7`, or what stands for a name. */
  readonly account: string;
  readonly ip: string;
  /** Whether they have logged in from there before. */
  readonly known: boolean;
}

/**
 * Wrong passwords, which two allowances slow down: the usual one of an account and network, and a slow
 * one over all networks in which the owner never logged in. So many addresses guess no more than a few,
 * and the owner can log in from a known network, no matter what strangers do elsewhere.
 */
export interface PasswordGuesses {
  /** The users as tried from there, in the order they are named. */
  triesAt(db: Db, user_ids: readonly number[], ip: string): Promise<PasswordTry[]>;
  /** A name that no user has, which is treated like one that exists. */
  tryAtUnknownName(name: string, ip: string): PasswordTry;
  /**
   * Those whose password may be tried now. Throws RATE_LIMITED when there is none. In a transaction no
   * other try at them is decided until its end.
   */
  admit(db: Db, tries: readonly PasswordTry[]): Promise<PasswordTry[]>;
  /** Writes down that the password was wrong for all of these, and tells owners of many such. */
  recordFailures(tx: Db, tries: readonly PasswordTry[]): Promise<void>;
  /** After a log-in that proved everything. */
  recordSuccess(tx: Db, user_id: number, ip: string): Promise<void>;
  /** The owner has set a new password there: guesses at the old one count no more. */
  recordNewPassword(tx: Db, user_id: number, ip: string): Promise<void>;
}

type Deps = Pick<Kernel, 'clock' | 'vault'> & {
  readonly attempts: Attempts;
  readonly messages: Messages;
};

export function createPasswordGuesses(deps: Deps): Feature & PasswordGuesses {
  const { clock, vault, attempts } = deps;
  return {
    name: 'password-guesses',
    async triesAt(db, user_ids, ip) {
      const known = await usersKnownIn(db, user_ids, { ip, now: clock.now() });
      return user_ids.map((user_id) => ({
        user_id,
        account: accountOf(user_id),
        ip,
        known: known.has(user_id),
      }));
    },
    tryAtUnknownName(name, ip) {
      const mark = vault.fingerprint(name.trim().toLowerCase(), 'log-in name');
      return { account: `name:${mark.toString('hex')}`, ip, known: false };
    },
    async admit(db, tries) {
      const counted = tries.map(attemptsOf);
      const waits = await attempts.waitsOf(db, counted.flat());
      const waitOf = counted.map((own) => Math.max(...waits.splice(0, own.length)));
      const free = tries.filter((_, i) => waitOf[i] === 0);
      if (free.length === 0) throw tooManyAttempts(Math.min(...waitOf));
      return free;
    },
    async recordFailures(tx, tries) {
      await attempts.recordFailure(tx, ...tries.flatMap(attemptsOf));
      const user_ids = tries.flatMap(({ user_id }) => (user_id === undefined ? [] : [user_id]));
      await notifyOwners(deps, tx, user_ids);
    },
    async recordSuccess(tx, user_id, ip) {
      await attempts.clear(tx, { accounts: [accountOf(user_id)], ip });
    },
    async recordNewPassword(tx, user_id, ip) {
      await attempts.clear(tx, fromUnknownNetworks(accountOf(user_id)));
      await attempts.clear(tx, { accounts: [accountOf(user_id)], ip });
      await recordNetwork(tx, user_id, ip, clock.now());
    },
  };
}

const fromUnknownNetworks = (account: string): Attempt => ({
  accounts: [`password ${account}`],
  allowance: UNKNOWN_NETWORKS,
});

function attemptsOf({ account, ip, known }: PasswordTry): Attempt[] {
  const here = { accounts: [account], ip, known };
  return known ? [here] : [here, fromUnknownNetworks(account)];
}
