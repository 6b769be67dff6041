import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { NewAttempt } from './delivery-store.ts';

export type WebhookAttempt = Row<'webhooks.attempts'>;

export interface AttemptFilter {
  readonly before: number | undefined;
  readonly limit: number;
  readonly event_id: string | undefined;
  readonly result: string | undefined;
}

/** Attempts at an endpoint, newest first. */
export const listAttempts = (
  db: Db,
  endpoint_id: string,
  { before, limit, event_id, result }: AttemptFilter,
): Promise<WebhookAttempt[]> =>
  run<WebhookAttempt>(
    db,
    `select * from webhooks.attempts
      where endpoint_id = $1 and attempt_id < $2
        and ($4::uuid is null or event_id = $4) and ($5::text is null or result = $5)
      order by attempt_id desc limit $3`,
    [endpoint_id, before ?? Number.MAX_SAFE_INTEGER, limit, event_id ?? null, result ?? null],
  );

export async function findWebhookAttempt(
  db: Db,
  endpoint_id: string,
  attempt_id: number,
): Promise<WebhookAttempt | undefined> {
  const [row] = await run<WebhookAttempt>(
    db,
    'select * from webhooks.attempts where endpoint_id = $1 and attempt_id = $2',
    [endpoint_id, attempt_id],
  );
  return row;
}

/** An attempt without a lease: a test. */
export async function insertAttempt(db: Db, attempt: NewAttempt): Promise<WebhookAttempt> {
  const [row] = await run<WebhookAttempt>(
    db,
    `insert into webhooks.attempts (endpoint_id, position, event_id, event_type, object_type,
       object_id, attempt, at, cause, result, url, status, ms, error, response)
     select endpoint_id, position, event_id, event_type, object_type, object_id, attempt, at, cause,
       result, url, status, ms, error, response
       from json_populate_record(null::webhooks.attempts, $1::json) returning *`,
    [JSON.stringify(attempt)],
  );
  if (!row) throw new Error('An attempt was not inserted');
  return row;
}

/** The state of one event's delivery to one endpoint. */
export type WebhookDelivery = Pick<
  WebhookAttempt,
  'event_id' | 'event_type' | 'object_type' | 'object_id'
> & {
  readonly at: number;
  readonly status: string;
  readonly attempts: number;
  readonly last_attempt_at: string | null;
  readonly next_attempt_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
};

/** The events that were sent to an endpoint, newest first, each with its latest attempt. */
export const listDeliveries = (
  db: Db,
  endpoint_id: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<WebhookDelivery[]> =>
  run<WebhookDelivery>(
    db,
    `with recursive found (at, n) as (
       (select position, 1 from webhooks.attempts
         where endpoint_id = $1 and position < $2
         order by position desc, attempt_id desc limit 1)
       union all
       select (select position from webhooks.attempts
                where endpoint_id = $1 and position < found.at
                order by position desc, attempt_id desc limit 1), n + 1
         from found where found.at is not null and n < $3)
     select found.at, a.event_id, a.event_type, a.object_type, a.object_id,
       case when p.position is not null then 'waiting' when ok.any then 'delivered'
            else 'exhausted' end as status,
       (select count(*)::integer from webhooks.attempts c
         where c.endpoint_id = $1 and c.position = found.at) as attempts,
       a.at as last_attempt_at, p.next_at as next_attempt_at, a.status as last_status,
       a.error as last_error
     from found
       cross join lateral (select * from webhooks.attempts
         where endpoint_id = $1 and position = found.at order by attempt_id desc limit 1) a
       cross join lateral (select exists (select from webhooks.attempts
         where endpoint_id = $1 and position = found.at and result = 'delivered') as any) ok
       left join lateral (select position, next_at from webhooks.parked
         where endpoint_id = $1 and position = found.at order by lane limit 1) p on true
     where found.at is not null order by found.at desc`,
    [endpoint_id, before ?? Number.MAX_SAFE_INTEGER, limit],
  );

export type Stats = Row<'webhooks.endpoints', 'status'> & {
  readonly n: number;
  /** Events that the endpoint furthest behind has not read. */
  readonly behind: number;
};

/** Endpoints by status; a few thousand at most, so each read of the metrics counts them. */
export const endpointStats = (db: Db, head: number): Promise<Stats[]> =>
  run<Stats>(
    db,
    `select e.status, count(*)::integer as n, greatest(0, $1 - min(e.place))::float8 as behind
       from webhooks.endpoints e group by e.status`,
    [head],
  );
