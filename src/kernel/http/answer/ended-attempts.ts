import { monotonicMs } from '../../clock.ts';
import type { Liveness } from '../../db/liveness.ts';
import type { Logger } from '../../log.ts';

/** An attempt of this process that ended without a stored answer. */
export interface EndedAttempt {
  readonly scope: Buffer;
  readonly lease: string;
  /** The database confirmed its claim; otherwise the claim may still be on its way there. */
  readonly held: boolean;
}

/**
 * The attempts of this process that have ended and still hold their keys in the database, because the
 * database became unavailable before they could give them back. Otherwise others would wait for the lease to end.
 */
export interface EndedAttempts {
  /** The leases of those under that key: a caller here need not wait until they are given back. */
  of(scope: Buffer): string[];
  /**
   * Gives the key back as soon as the database is there. Answers after the first try, with whether
   * that has done it.
   */
  add(attempt: EndedAttempt): Promise<boolean>;
  /** Gives nothing back any more; the process ends, and with it what it signed. */
  close(): void;
}

export interface EndedOptions {
  /** A connection of the process's own: a pool may be full, or hand out what is dead. */
  readonly presence: Pick<Liveness, 'query'>;
  readonly log: Logger;
  /** After which a lease has ended anyway. */
  readonly leaseMs: number;
  /** No more than these are remembered; the leases of others end by themselves. */
  readonly max?: number;
}

/** More than any process has in flight. */
const REMEMBERED_MAX = 10_000;
const AGAIN_MS = 250;

interface Remembered extends EndedAttempt {
  readonly untilMs: number;
}

export function createEndedAttempts(options: EndedOptions): EndedAttempts {
  const { presence, log, leaseMs, max = REMEMBERED_MAX } = options;
  const remembered = new Map<string, Remembered>();
  let retrying: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let later: NodeJS.Timeout | undefined;
  let closed = false;

  /** A try that begins after this call, beside any that is in flight. */
  function retry(): Promise<void> {
    next ??= (retrying ?? Promise.resolve()).then(() => {
      next = undefined;
      retrying = giveBack();
      return retrying;
    });
    return next;
  }

  async function giveBack(): Promise<void> {
    if (closed || remembered.size === 0) return;
    const attempts = [...remembered.values()];
    try {
      for (const lease of await settledBy(presence, attempts)) remembered.delete(lease);
    } catch (err) {
      log.debug({ err }, 'Idempotency-Keys cannot be given back yet');
    }
    for (const { lease, untilMs } of attempts)
      if (monotonicMs() >= untilMs) remembered.delete(lease);
    clearTimeout(later);
    if (remembered.size > 0 && !closed) later = setTimeout(retry, AGAIN_MS).unref();
  }

  return {
    of(scope) {
      if (remembered.size === 0) return [];
      const own = [...remembered.values()].filter((attempt) => attempt.scope.equals(scope));
      return own.map(({ lease }) => lease);
    },
    async add(attempt) {
      if (remembered.size >= max) return false;
      remembered.set(attempt.lease, { ...attempt, untilMs: monotonicMs() + leaseMs });
      await retry();
      return !remembered.has(attempt.lease);
    },
    close() {
      closed = true;
      clearTimeout(later);
    },
  };
}

/** Gives back what can be, and answers the leases that nothing is left to do for. */
async function settledBy(
  presence: EndedOptions['presence'],
  attempts: readonly EndedAttempt[],
): Promise<string[]> {
  const given = await presence.query<{ lease: string }>(GIVE_BACK, [
    attempts.map(({ scope }) => scope),
    attempts.map(({ lease }) => lease),
  ]);
  // One that is held and was not found has been answered after all, or taken over.
  const held = attempts.filter((attempt) => attempt.held);
  return [...given, ...held].map(({ lease }) => lease);
}

/** The row stays: it names the operation, by which other systems know what the attempt began there. */
const GIVE_BACK = `
  update idempotency_keys k set lease_until = 'epoch'
  from unnest($1::bytea[], $2::uuid[]) as ended (scope, lease)
  where k.scope = ended.scope and k.lease = ended.lease and k.status is null
  returning k.lease`;
