import type { Messages } from '#features/messages/messages.ts';
import {
  type Attempt,
  type Attempts,
  accountOf,
  tooManyAttempts,
} from '#kernel/access/attempts.ts';
import { noteNetwork, whoIsKnown } from '#kernel/access/known-networks.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { tellOwners } from './tell-owners.ts';

const DAY_MS = 24 * 3600_000;
/** What all networks together have in which the owner never logged in. */
const ELSEWHERE = { failures: 50, withinMs: DAY_MS };

/** A user whose password is tried, and from where. */
export interface Guessed {
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
  at(db: Db, user_ids: readonly number[], ip: string): Promise<Guessed[]>;
  /** A name that no user has, which is treated like one that exists. */
  atNobody(name: string, ip: string): Guessed;
  /**
   * Those whose password may be tried now. Throws RATE_LIMITED when there is none. In a transaction no
   * other try at them is decided until its end.
   */
  admit(db: Db, guessed: readonly Guessed[]): Promise<Guessed[]>;
  /** Writes down that the password was wrong for all of these, and tells owners of many such. */
  fail(tx: Db, guessed: readonly Guessed[]): Promise<void>;
  /** After a log-in that proved everything. */
  forget(tx: Db, user_id: number, ip: string): Promise<void>;
  /** The owner has set a new password there: guesses at the old one count no more. */
  renew(tx: Db, user_id: number, ip: string): Promise<void>;
}

type Deps = Pick<Kernel, 'clock' | 'vault'> & {
  readonly attempts: Attempts;
  readonly messages: Messages;
};

export function createPasswordGuesses(deps: Deps): Feature & PasswordGuesses {
  const { clock, vault, attempts } = deps;
  return {
    name: 'password-guesses',
    async at(db, user_ids, ip) {
      const known = await whoIsKnown(db, user_ids, { ip, now: clock.now() });
      return user_ids.map((user_id) => ({
        user_id,
        account: accountOf(user_id),
        ip,
        known: known.has(user_id),
      }));
    },
    atNobody(name, ip) {
      const mark = vault.fingerprint(name.trim().toLowerCase(), 'log-in name');
      return { account: `name:${mark.toString('hex')}`, ip, known: false };
    },
    async admit(db, guessed) {
      const tries = guessed.map(triesOf);
      const waits = await attempts.waits(db, tries.flat());
      const byGuessed = tries.map((own) => Math.max(...waits.splice(0, own.length)));
      const free = guessed.filter((_, i) => byGuessed[i] === 0);
      if (free.length === 0) throw tooManyAttempts(Math.min(...byGuessed));
      return free;
    },
    async fail(tx, guessed) {
      await attempts.fail(tx, ...guessed.flatMap(triesOf));
      const user_ids = guessed.flatMap(({ user_id }) => (user_id === undefined ? [] : [user_id]));
      await tellOwners(deps, tx, user_ids);
    },
    async forget(tx, user_id, ip) {
      await attempts.forget(tx, { accounts: [accountOf(user_id)], ip });
    },
    async renew(tx, user_id, ip) {
      await attempts.forget(tx, elsewhere(accountOf(user_id)));
      await attempts.forget(tx, { accounts: [accountOf(user_id)], ip });
      await noteNetwork(tx, user_id, ip, clock.now());
    },
  };
}

const elsewhere = (account: string): Attempt => ({
  accounts: [`password ${account}`],
  allowance: ELSEWHERE,
});

function triesOf({ account, ip, known }: Guessed): Attempt[] {
  const here = { accounts: [account], ip, known };
  return known ? [here] : [here, elsewhere(account)];
}
