import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type NewAttempt = Omit<Row<'webhooks.attempts'>, 'attempt_id'>;
export type Replay = Row<
  'webhooks.replays',
  'replay_id' | 'place' | 'upto' | 'types' | 'only_failed'
> & { readonly cause: 'replay' | 'resend' };

/** An endpoint's health, as the process that serves it knows it. */
export type Health = Row<
  'webhooks.endpoints',
  'failures' | 'failing_since' | 'failing_first' | 'probes' | 'probe_at' | 'last_success_at'
>;

/** An event that waits for another attempt; `next_at` is null behind another event of its queue (`lane`). */
export type ParkedDelivery = Row<'webhooks.parked', 'position' | 'lane' | 'attempt' | 'next_at'>;

/** The results of some attempts, to be written together. */
export interface Results {
  readonly endpoint_id: string;
  readonly lease: string;
  readonly place: number;
  readonly health: Health;
  readonly attempts: readonly NewAttempt[];
  readonly parked: readonly ParkedDelivery[];
  readonly unparked: readonly ParkedDelivery[];
  readonly replays: readonly { readonly replay_id: number; readonly place: number }[];
}

/**
 * Writes the results of attempts: the attempts in any case, and their consequences only while this process holds the
 * endpoint's lease. Answers whether it does.
 */
export async function writeResults(db: Db, results: Results): Promise<boolean> {
  const { endpoint_id, lease, place, health, ...lists } = results;
  const [mine] = await run<{ mine: number }>(db, WRITE, [
    endpoint_id,
    lease,
    place,
    JSON.stringify(health),
    JSON.stringify(lists.attempts),
    JSON.stringify(lists.parked),
    JSON.stringify(lists.unparked),
    JSON.stringify(lists.replays),
  ]);
  return mine?.mine === 1;
}

const WRITE = `
  with mine as (
    update webhooks.endpoints e
       set place = greatest(e.place, $3), failures = h.failures, failing_since = h.failing_since,
         failing_first = h.failing_first, probes = h.probes, probe_at = h.probe_at,
         last_success_at = h.last_success_at
      from json_to_record($4::json) as h (failures integer, failing_since timestamptz,
        failing_first bigint, probes smallint, probe_at timestamptz, last_success_at timestamptz)
     where e.endpoint_id = $1 and e.lease = $2
    returning e.endpoint_id
  ), tried as (
    insert into webhooks.attempts (endpoint_id, position, event_id, event_type, object_type,
      object_id, attempt, at, cause, result, url, status, ms, error, response)
    select endpoint_id, position, event_id, event_type, object_type, object_id, attempt, at, cause,
      result, url, status, ms, error, response
      from json_populate_recordset(null::webhooks.attempts, $5::json)
  ), taken as (
    delete from webhooks.parked p
     using json_populate_recordset(null::webhooks.parked, $7::json) gone, mine
     where p.endpoint_id = mine.endpoint_id and p.position = gone.position and p.lane = gone.lane
  ), put as (
    insert into webhooks.parked (endpoint_id, position, lane, attempt, next_at)
    select mine.endpoint_id, r.position, r.lane, r.attempt, r.next_at
      from json_populate_recordset(null::webhooks.parked, $6::json) r cross join mine
    on conflict (endpoint_id, position, lane)
      do update set attempt = excluded.attempt, next_at = excluded.next_at
  ), gone_on as (
    update webhooks.replays p set place = r.place
      from json_populate_recordset(null::webhooks.replays, $8::json) r, mine
     where p.replay_id = r.replay_id and p.endpoint_id = mine.endpoint_id and r.place < p.upto
  ), done as (
    delete from webhooks.replays p
     using json_populate_recordset(null::webhooks.replays, $8::json) r, mine
     where p.replay_id = r.replay_id and p.endpoint_id = mine.endpoint_id and r.place >= p.upto
  )
  select count(*)::integer as mine from mine`;

/** The parked deliveries of an endpoint, in order. */
export const listParked = (db: Db, endpoint_id: string): Promise<ParkedDelivery[]> =>
  run<ParkedDelivery>(
    db,
    `select position, lane, attempt, next_at from webhooks.parked
      where endpoint_id = $1 order by position`,
    [endpoint_id],
  );

/** Positions after `place` that are settled already: they overtook older events. */
export async function listSettled(db: Db, endpoint_id: string, place: number): Promise<number[]> {
  const rows = await run<{ reached: number }>(
    db,
    `select position as reached from webhooks.attempts
      where endpoint_id = $1 and position > $2 and result in ('delivered', 'exhausted')`,
    [endpoint_id, place],
  );
  return rows.map(({ reached }) => reached);
}

export const listReplays = (db: Db, endpoint_id: string): Promise<Replay[]> =>
  run<Replay>(
    db,
    `select replay_id, cause, place, upto, types, only_failed from webhooks.replays
      where endpoint_id = $1 order by replay_id`,
    [endpoint_id],
  );

/** Those of the given events that were delivered to the endpoint at some time. */
export async function listDelivered(
  db: Db,
  endpoint_id: string,
  positions: readonly number[],
): Promise<Set<number>> {
  const rows = await run<{ reached: number }>(
    db,
    `select distinct position as reached from webhooks.attempts
      where endpoint_id = $1 and position = any($2) and result = 'delivered'`,
    [endpoint_id, positions],
  );
  return new Set(rows.map(({ reached }) => reached));
}
