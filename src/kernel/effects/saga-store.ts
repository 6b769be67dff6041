import { type Db, run } from '#kernel/db/db.ts';
import type { Saga } from './saga-machine.ts';

/** A saga as it is in the database. */
export interface SagaRow extends Saga<object> {
  readonly waiting_for: string | null;
  readonly due_at: string | null;
  readonly finished: boolean;
  readonly last_error: string | null;
  readonly stalled_at: string | null;
  readonly driven_until: string | null;
}

const COLUMNS =
  'id, type, state, version, data, waiting_for, due_at, finished, last_error, stalled_at, ' +
  'driven_until';

/** Answers false when there is one of that id. */
export async function insertSaga(
  db: Db,
  { id, type, state, data }: Saga,
  drivenUntil: Date | undefined,
): Promise<boolean> {
  const rows = await run(
    db,
    `insert into sagas (id, type, state, version, data, driven_until) values ($1, $2, $3, 0, $4, $5)
     on conflict (id) do nothing returning id`,
    [id, type, state, JSON.stringify(data), drivenUntil?.toISOString() ?? null],
  );
  return rows.length === 1;
}

export async function findSaga(db: Db, id: string): Promise<SagaRow | undefined> {
  const [row] = await run<SagaRow>(db, `select ${COLUMNS} from sagas where id = $1`, [id]);
  return row;
}

/** Holds the saga until the transaction ends. */
export async function lockSaga(tx: Db, id: string): Promise<SagaRow | undefined> {
  const [row] = await run<SagaRow>(
    tx,
    `select ${COLUMNS} from sagas where id = $1 for no key update`,
    [id],
  );
  return row;
}

/** Makes a start and the events that arrive at the same moment wait for each other. */
export async function lockId(tx: Db, id: string): Promise<void> {
  await run(tx, `select pg_advisory_xact_lock(hashtextextended('saga ' || $1::text, 0))`, [id]);
}

export interface Transition {
  readonly saga: Saga;
  readonly from: number;
  readonly waitingFor: string | undefined;
  readonly dueAt: Date | undefined;
  readonly finished: boolean;
  readonly error: string | undefined;
  readonly at: Date;
}

/** Answers false when the saga has moved since it was read. */
export async function moveSaga(tx: Db, move: Transition): Promise<boolean> {
  const { saga, from, waitingFor, dueAt, finished, error, at } = move;
  const moved = await run(
    tx,
    `update sagas set state = $3, version = $4, data = $5, waiting_for = $6, due_at = $7,
       finished = $8, last_error = $9, stalled_at = null, updated_at = now(),
       driven_until = case when $6::text is null then driven_until end
     where id = $1 and version = $2 returning id`,
    [
      saga.id,
      from,
      saga.state,
      saga.version,
      JSON.stringify(saga.data),
      waitingFor ?? null,
      dueAt?.toISOString() ?? null,
      finished,
      error ?? null,
    ],
  );
  if (moved.length === 0) return false;
  await run(
    tx,
    'insert into saga_log (saga_id, version, state, entered_at) values ($1, $2, $3, $4)',
    [saga.id, saga.version, saga.state, at.toISOString()],
  );
  return true;
}

/** Answers false when an event of that name and key was received before. */
export async function insertEvent(
  tx: Db,
  [id, name, key]: readonly [string, string, string],
  payload: unknown,
): Promise<boolean> {
  const rows = await run(
    tx,
    `insert into saga_events (saga_id, name, key, payload) values ($1, $2, $3, $4)
     on conflict on constraint saga_events_once do nothing returning seq`,
    [id, name, key, JSON.stringify(payload)],
  );
  return rows.length === 1;
}

export async function hasEvent(tx: Db, id: string, name: string): Promise<boolean> {
  const rows = await run(
    tx,
    `select from saga_events
     where saga_id = $1 and name = $2 and consumed_version is null limit 1`,
    [id, name],
  );
  return rows.length === 1;
}

/** Takes the oldest event of that name that is not taken. The caller holds the saga. */
export async function takeEvent(
  tx: Db,
  { id, version }: Saga,
  name: string,
): Promise<{ payload: unknown } | undefined> {
  const [event] = await run<{ payload: unknown }>(
    tx,
    `update saga_events set consumed_version = $3
     where seq = (
       select seq from saga_events
       where saga_id = $1 and name = $2 and consumed_version is null order by seq limit 1
     )
     returning payload`,
    [id, name, version],
  );
  return event;
}

/** Answers false when the saga is not stalled. */
export async function unstallSaga(tx: Db, id: string): Promise<SagaRow | undefined> {
  const [row] = await run<SagaRow>(
    tx,
    `update sagas set stalled_at = null, updated_at = now()
     where id = $1 and stalled_at is not null returning ${COLUMNS}`,
    [id],
  );
  return row;
}

/** The states that unfinished sagas are in, and how many in each. */
export async function openStates(
  db: Db,
): Promise<{ type: string; state: string; count: number; stalled: number }[]> {
  return run(
    db,
    `select type, state, count(*) as count, count(stalled_at) as stalled
     from sagas where not finished group by 1, 2 order by 1, 2`,
    [],
  );
}
