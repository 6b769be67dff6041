import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import { fail } from '../http/error.ts';

export interface Passwords {
  /** Argon2id in PHC form. */
  hash(password: string): Promise<string>;
  /** False for a missing hash too, after the same work, so that time tells nobody who exists. */
  verify(stored: string | null | undefined, password: string): Promise<boolean>;
}

/** OWASP's first choice for argon2id. */
const OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const WAITING_MAX = 200;
/** In UTF-16 units: endpoints take 1024 characters, and some characters are two. */
const LENGTH_MAX = 2048;

/**
 * Hashes on at most one thread a core: more would be slower for everybody. Beyond a bounded queue
 * callers get 503 OVERLOADED at once instead of waiting.
 */
export function createPasswords(threads = availableParallelism()): Passwords {
  const gate = createGate(threads, WAITING_MAX);
  const nobody = hash('nobody has this password', OPTIONS);
  return {
    hash: (password) => gate(() => hash(password, OPTIONS)),
    async verify(stored, password) {
      if (password.length > LENGTH_MAX) return false;
      const known = stored ?? (await nobody);
      const right = await gate(() => verify(known, password));
      return right && stored !== null && stored !== undefined;
    },
  };
}

function createGate(width: number, waitingMax: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= width) {
      if (waiting.length >= waitingMax)
        throw fail('OVERLOADED', 'Too many log-ins at once, try again shortly', { retryAfter: 2 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
