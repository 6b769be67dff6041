import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import { networkOf } from '../network.ts';
import { createSemaphore } from './semaphore.ts';

export interface Passwords {
  /** Argon2id in PHC form. `ip` is where the wish comes from: each place has its turns. */
  hash(password: string, ip?: string): Promise<string>;
  /** False for a missing hash too, after the same work: timing does not show whether a user exists. */
  verify(stored: string | null | undefined, password: string, ip?: string): Promise<boolean>;
}

/** What one hash takes: KiB of memory, and passes over them. */
export type PasswordCost = Required<Pick<Options, 'memoryCost' | 'timeCost'>>;

/** OWASP's first choice for argon2id. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
const WAITING_MAX = 200;
/** In UTF-16 units: endpoints take 1024 characters, and some characters are two. */
const LENGTH_MAX = 2048;

/**
 * Hashes on at most one thread a core: more would be slower for everybody. Beyond a bounded queue
 * callers get 503 OVERLOADED at once instead of waiting, first of all those who have filled it.
 */
export function createPasswords(cost: PasswordCost = COST): Passwords {
  const gate = createSemaphore(availableParallelism(), WAITING_MAX);
  const options: Options = { ...cost, parallelism: 1 };
  const dummy = hash('nobody has this password', options);
  return {
    hash: (password, ip) => gate(() => hash(preparedPassword(password), options), placeOf(ip)),
    async verify(stored, password, ip) {
      if (password.length > LENGTH_MAX) return false;
      const known = stored ?? (await dummy);
      const right = await gate(() => isRight(known, password), placeOf(ip));
      return right && stored !== null && stored !== undefined;
    },
  };
}

/**
 * As OpaqueString of RFC 8265 has it: other spaces become the plain one, and letters that are written in several
 * ways are composed (NFC), for keyboards differ in how they write `é`. Not NFKC: it would make passwords one that
 * people see as two.
 */
const preparedPassword = (password: string): string =>
  password.replace(/\p{Zs}/gu, ' ').normalize('NFC');

/** Hashes from before passwords were prepared are of what was typed then, composed or not. */
async function isRight(stored: string, password: string): Promise<boolean> {
  const prepared = preparedPassword(password);
  if (await verify(stored, prepared)) return true;
  const others = new Set([password, password.normalize('NFD')]);
  others.delete(prepared);
  for (const form of others) if (await verify(stored, form)) return true;
  return false;
}

const placeOf = (ip: string | undefined): string => (ip === undefined ? '' : networkOf(ip));
