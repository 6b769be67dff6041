import type { Kysely } from 'kysely';
import type { CommandResponse, PgBoss } from 'pg-boss';
import { run } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { transact } from '#kernel/transact.ts';
import { DEAD, within } from './boss.ts';
import { emitWork } from './work-events.ts';

interface Attempted {
  readonly name: string;
  readonly id: string;
  readonly retryCount: number;
  readonly retryLimit: number;
}

/** Did the statement still find the attempt it is about? A process that hung comes too late. */
export const affected = (answer: CommandResponse): boolean =>
  (answer as { affected?: number }).affected === 1;

/**
 * Ends an attempt that has failed; after the last one its dead letter is told of as it is made. False where
 * that attempt is another process's by now.
 */
export const failJob = (
  { db, boss }: { readonly db: Kysely<DB>; readonly boss: PgBoss },
  { name, id, retryCount, retryLimit }: Attempted,
  message: string,
): Promise<boolean> =>
  transact(db, async (tx) => {
    const answer = await boss.fail(name, { id, retryCount }, { message }, { db: within(tx) });
    if (!affected(answer)) return false;
    if (retryCount < retryLimit) return true;
    const letters = await run<{ id: string }>(
      tx,
      'select id::text as id from pgboss.job where name = $1 and source_id = $2',
      [DEAD, id],
    );
    for (const letter of letters) emitWork(tx, 'given_up', name, letter.id);
    return true;
  });
