import type { Messages } from '#features/messaging/messages/messages.ts';
import {
  type Attempt,
  type Attempts,
  accountOf,
  tooManyAttempts,
} from '#kernel/access/attempts.ts';
import { knownSince, recordNetwork } from '#kernel/access/known-networks.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { networkOf } from '#kernel/network.ts';
import { notifyOwners } from './notify-owners.ts';
import { readTries, type TryRow } from './store.ts';

export { type TryRow, triesOf } from './store.ts';

const DAY_MS = 24 * 3600_000;
/** The shared allowance of all networks in which the owner never logged in. */
const UNKNOWN_NETWORKS = { failures: 50, withinMs: DAY_MS };

/** A user whose password a caller tries, and the caller's network. */
export interface PasswordTry {
  /** Missing where no user has the name. */
  readonly user_id?: number;
  /** `user:7`, or a substitute for an unknown name. */
  readonly account: string;
  readonly ip: string;
  /** Whether the user has logged in from there before. */
  readonly known: boolean;
  /** Seconds until the next allowed try, as of the look-up; 0 for none. */
  readonly wait_s: number;
}

/**
 * Wrong passwords, which two allowances slow down: the usual one of an account and network, and a slow one over all
 * networks in which the owner never logged in. Many addresses thus guess no more than a few, and the owner can log in
 * from a known network whatever strangers do elsewhere.
 */
export interface PasswordGuesses {
  /** The users as tried from there, in the order of their names. */
  triesAt(db: Db, user_ids: readonly number[], ip: string): Promise<PasswordTry[]>;
  /** The input of `triesOf`; an unknown name is treated like a known one. */
  valuesFor(name: string, ip: string): readonly unknown[];
  /** The result of `triesOf`. */
  tryOf(row: TryRow, ip: string): PasswordTry;
  /** The users whose password could be tried at the look-up. Throws RATE_LIMITED when there is none. */
  freeOf(tries: readonly PasswordTry[]): PasswordTry[];
  /** In a transaction: no other try at them is decided until its end. */
  hold(tx: Db, tries: readonly PasswordTry[]): Promise<void>;
  /** Locks the users and answers those whose password may be tried now. Throws RATE_LIMITED when there is none. */
  admit(tx: Db, tries: readonly PasswordTry[]): Promise<PasswordTry[]>;
  /** Records a wrong password for all of these, and notifies owners of many. */
  recordFailures(tx: Db, tries: readonly PasswordTry[]): Promise<void>;
  /** After a log-in with all its proofs. */
  recordSuccess(tx: Db, user_id: number, ip: string): Promise<void>;
  /** The owner has set a new password there, so guesses at the old one no longer count. */
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
      const rows = await readTries(db, user_ids, valuesFor('', ip));
      return rows.map((row) => tryOf(row, ip));
    },
    valuesFor,
    tryOf,
    freeOf: (tries) =>
      freeOf(
        tries,
        tries.map(({ wait_s }) => wait_s),
      ),
    hold: (tx, tries) => attempts.hold(tx, tries.flatMap(attemptsOf)),
    async admit(tx, tries) {
      const counted = tries.map(attemptsOf);
      const waits = await attempts.waitsOf(tx, counted.flat());
      return freeOf(
        tries,
        counted.map((own) => Math.max(...waits.splice(0, own.length))),
      );
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

  function valuesFor(name: string, ip: string): readonly unknown[] {
    const mark = vault.fingerprint(name.trim().toLowerCase(), 'log-in name');
    const limits = attempts.limitsOf({ ip }, UNKNOWN);
    return [networkOf(ip), knownSince(clock.now()), `name:${mark.toString('hex')}`, limits];
  }
}

const tryOf = ({ user_id, wait_s, ...row }: TryRow, ip: string): PasswordTry => ({
  ...row,
  ...(user_id !== null && { user_id }),
  ip,
  wait_s: wait_s === null ? 0 : Math.max(1, Math.ceil(wait_s)),
});

function freeOf(tries: readonly PasswordTry[], waits: readonly number[]): PasswordTry[] {
  const free = tries.filter((_, i) => waits[i] === 0);
  if (free.length === 0) throw tooManyAttempts(Math.min(...waits));
  return free;
}

/** For the account `user:7`, over all networks in which its owner never logged in. */
const UNKNOWN = { prefix: 'password ', allowance: UNKNOWN_NETWORKS, unknownOnly: true };

const fromUnknownNetworks = (account: string): Attempt => ({
  accounts: [`${UNKNOWN.prefix}${account}`],
  allowance: UNKNOWN_NETWORKS,
});

function attemptsOf({ account, ip, known }: PasswordTry): Attempt[] {
  const here = { accounts: [account], ip, known };
  return known ? [here] : [here, fromUnknownNetworks(account)];
}
