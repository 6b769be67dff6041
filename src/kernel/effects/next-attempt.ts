import { type Db, run } from '../db/db.ts';

/** Jobs are due by the machine's clock. */
const OFFSET = 'service_now() - now()';

/** SQL of when the first job of those names looks at a thing under that key next, by the service's clock; else null. */
export const nextAttemptSql = (names: string, key: string): string => `(
  select min(j.due_at) + (${OFFSET}) from jobs j
  where j.name = any(${names}) and j.key = ${key} and j.state in ('waiting', 'retrying'))`;

/** The same of the flow in `saga`, a row of sagas. */
export const nextStepSql = (saga: string): string =>
  nextAttemptSql(
    `array['saga.' || ${saga}.type, 'effect.saga.' || ${saga}.type || '.' || ${saga}.state]`,
    `${saga}.id || ':' || ${saga}.version`,
  );

/** The same of flows by their ids; of those that are over nothing. */
export async function nextSteps(
  db: Db,
  flows: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await run<{ id: string; at: string | null }>(
    db,
    `select s.id, ${nextStepSql('s')} as at from sagas s where s.id = any($1) and not s.finished`,
    [flows],
  );
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])));
}
