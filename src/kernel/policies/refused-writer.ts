import type { Kysely } from 'kysely';
import type { DB } from '../db/schema.generated.ts';
import type { Logger } from '../log.ts';
import { transact } from '../transact.ts';
import { insertDecision, type NewDecision, provideDecisions } from './decision-store.ts';

export interface RefusedWriter {
  /** Keeps a decision for the next batch; leaves it out where too many wait. */
  add(decision: NewDecision): void;
  /** Writes what waits. */
  flush(): Promise<void>;
}

/** A killed process loses the refusals of this time: nothing was done by them. */
const FLUSH_MS = 1000;
const BATCH_MAX = 200;
const WAITING_MAX = 5000;

/**
 * Writes decisions that refused: their transactions are rolled back, so that they are kept beside them. `dropped`
 * counts those that were left out.
 */
export function createRefusedWriter(deps: {
  readonly db: Kysely<DB>;
  readonly log: Pick<Logger, 'warn'>;
  readonly dropped: (count: number) => void;
}): RefusedWriter {
  const waiting: NewDecision[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        await transact(deps.db, async (tx) => {
          for (const decision of batch) {
            await provideDecisions(tx, decision.at);
            await insertDecision(tx, decision);
          }
        });
      } catch (err) {
        deps.log.warn({ err, decisions: batch.length }, 'refusals by policies are not written');
        deps.dropped(batch.length);
        return;
      }
    }
  }
  return {
    add(decision) {
      if (waiting.length >= WAITING_MAX) return deps.dropped(1);
      waiting.push(decision);
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    flush,
  };
}
