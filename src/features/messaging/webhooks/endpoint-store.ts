import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type WebhookEndpoint = Row<'webhooks.endpoints'>;

/** The endpoints that a caller may manage. */
export interface Managing {
  /** The client; all clients without it. */
  readonly client_id?: number;
  /** The owner of the key, who has to be an admin of that client now, or of the operator. */
  readonly admin_id?: number;
}

/** `$1` and `$2` are the scope's; the statement's own follow. */
const BY_AN_ADMIN = `($2::integer is null or exists (select from users u where u.user_id = $2
    and u.client_id = coalesce($1::integer, ${OPERATOR_CLIENT_ID})
    and u.role = 'admin' and u.user_status = 'ACTIVE'))`;
const MANAGED = `($1::integer is null or e.client_id = $1) and ${BY_AN_ADMIN}`;
const scopeOf = ({ client_id, admin_id }: Managing) => [client_id ?? null, admin_id ?? null];

/** Undefined where this caller may manage no such endpoint. */
export async function findEndpoint(
  db: Db,
  scope: Managing,
  endpoint_id: string,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    db,
    `select * from webhooks.endpoints e where ${MANAGED} and e.endpoint_id = $3`,
    [...scopeOf(scope), endpoint_id],
  );
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockEndpoint(
  tx: Db,
  scope: Managing,
  endpoint_id: string,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    `select * from webhooks.endpoints e where ${MANAGED} and e.endpoint_id = $3
        for no key update`,
    [...scopeOf(scope), endpoint_id],
  );
  return row;
}

/** Endpoints of one client or of all, after `after`. */
export async function listEndpoints(
  db: Db,
  scope: Managing,
  { client_id, after, limit }: { client_id?: number | undefined; after: string; limit: number },
): Promise<WebhookEndpoint[]> {
  const only = scope.client_id ?? client_id;
  if (client_id !== undefined && only !== client_id) return [];
  // Two statements, since one for both would have a bad plan for each.
  const narrowed = only === undefined ? '' : 'e.client_id = $5 and';
  return run<WebhookEndpoint>(
    db,
    `select * from webhooks.endpoints e
      where ${narrowed} ${BY_AN_ADMIN} and e.endpoint_id > $3 order by e.endpoint_id limit $4`,
    [...scopeOf(scope), after, limit, ...(only === undefined ? [] : [only])],
  );
}

/**
 * Locks a client's row until the transaction ends, so that its endpoints can be counted. Undefined where the caller may
 * manage no such client.
 */
export async function countEndpoints(
  tx: Db,
  scope: Managing,
  client_id: number,
): Promise<number | undefined> {
  const [client] = await run<Row<'clients', 'client_id'>>(
    tx,
    `select e.client_id from clients e where ${MANAGED} and e.client_id = $3 for no key update`,
    [...scopeOf(scope), client_id],
  );
  if (!client) return undefined;
  const [row] = await run<{ n: number }>(
    tx,
    'select count(*)::integer as n from webhooks.endpoints where client_id = $1',
    [client_id],
  );
  return row?.n ?? 0;
}

/** The owner's settings of an endpoint. */
export type WebhookSettings = Row<
  'webhooks.endpoints',
  | 'url'
  | 'description'
  | 'types'
  | 'payload'
  | 'schema_versions'
  | 'ordering'
  | 'concurrency'
  | 'rate_limit'
  | 'headers_sealed'
  | 'secrets_sealed'
>;

const SETTINGS = `url, description, types, payload, schema_versions, ordering, concurrency,
  rate_limit, headers_sealed, secrets_sealed`;

export async function insertEndpoint(
  tx: Db,
  endpoint: WebhookSettings &
    Pick<WebhookEndpoint, 'endpoint_id' | 'client_id' | 'place' | 'made_by'>,
): Promise<WebhookEndpoint> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    `insert into webhooks.endpoints (endpoint_id, client_id, place, made_by, ${SETTINGS})
     select endpoint_id, client_id, place, made_by, ${SETTINGS}
       from json_populate_record(null::webhooks.endpoints, $1::json) returning *`,
    [JSON.stringify(endpoint)],
  );
  if (!row) throw new Error('An endpoint was not inserted');
  return row;
}

export async function updateSettings(
  tx: Db,
  endpoint_id: string,
  settings: WebhookSettings,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints e
        set (${SETTINGS}) = (select ${SETTINGS}
              from json_populate_record(null::webhooks.endpoints, $2::json)),
          revision = revision + 1, updated_at = service_now()
      where endpoint_id = $1 returning e.*`,
    [endpoint_id, JSON.stringify(settings)],
  );
  return row;
}

/** Pauses an endpoint until it is resumed. */
export async function pause(tx: Db, endpoint_id: string): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints
        set status = 'paused', probe_at = null, revision = revision + 1, updated_at = service_now()
      where endpoint_id = $1 and status in ('active', 'failing') returning *`,
    [endpoint_id],
  );
  return row;
}

/** Pauses all endpoints that a user has made; answers those that were served. */
export const pauseMadeBy = (tx: Db, made_by: number): Promise<WebhookEndpoint[]> =>
  run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints
        set status = 'paused', probe_at = null, revision = revision + 1, updated_at = service_now()
      where made_by = $1 and status in ('active', 'failing') returning *`,
    [made_by],
  );

/** Endpoints that a user has made, in any status. */
export const listMadeBy = (db: Db, made_by: number, limit: number): Promise<WebhookEndpoint[]> =>
  run<WebhookEndpoint>(
    db,
    'select * from webhooks.endpoints where made_by = $1 order by endpoint_id limit $2',
    [made_by, limit],
  );

/** Changes whose they are. */
export async function takeOverMadeBy(
  tx: Db,
  {
    made_by,
    heir,
    limit,
  }: { readonly made_by: number; readonly heir: number; readonly limit: number },
): Promise<void> {
  await run(
    tx,
    `update webhooks.endpoints set made_by = $2 where endpoint_id in (
       select endpoint_id from webhooks.endpoints where made_by = $1 order by endpoint_id limit $3)`,
    [made_by, heir, limit],
  );
}

/** Resumes an endpoint from a position of the log or from its own, and revokes its lease. */
export async function resume(
  tx: Db,
  endpoint_id: string,
  place: number | undefined,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints
        set status = 'active', disabled_why = null, failures = 0, failing_since = null,
          failing_first = null, probes = 0, probe_at = null, warnings = 0,
          place = coalesce($2, place), lease = null, lease_by = null, lease_until = null,
          revision = revision + 1, updated_at = service_now()
      where endpoint_id = $1 and status in ('paused', 'disabled') returning *`,
    [endpoint_id, place ?? null],
  );
  return row;
}

/** Parked deliveries of an endpoint become due at once, or are dropped. */
export async function unpark(tx: Db, endpoint_id: string, what: 'retry' | 'drop'): Promise<void> {
  const text =
    what === 'retry'
      ? `update webhooks.parked set next_at = service_now()
          where endpoint_id = $1 and next_at is not null`
      : 'delete from webhooks.parked where endpoint_id = $1';
  await run(tx, text, [endpoint_id]);
}

/** Deletes an endpoint with its parked deliveries and replays; its attempts stay as long as all. */
export async function deleteEndpoint(tx: Db, endpoint_id: string): Promise<void> {
  await run(tx, 'delete from webhooks.endpoints where endpoint_id = $1', [endpoint_id]);
}

/** Announces a change of an endpoint to the process that serves it. */
export async function announce(tx: Db, endpoint_id: string): Promise<void> {
  await run(tx, `select pg_notify('webhooks', $1)`, [endpoint_id]);
}

/** A client's endpoints that get deliveries, for a resend. */
export const listOpenEndpoints = (db: Db, client_id: number): Promise<WebhookEndpoint[]> =>
  run<WebhookEndpoint>(
    db,
    `select * from webhooks.endpoints
      where client_id = $1 and status in ('active', 'failing') order by endpoint_id`,
    [client_id],
  );

export const insertReplay = async (
  tx: Db,
  replay: Pick<Row<'webhooks.replays'>, 'cause' | 'place' | 'upto' | 'types' | 'only_failed'> & {
    readonly endpoint_id: string;
  },
): Promise<void> => {
  await run(
    tx,
    `insert into webhooks.replays (endpoint_id, cause, place, upto, types, only_failed)
     select endpoint_id, cause, place, upto, types, only_failed
       from json_populate_record(null::webhooks.replays, $1::json)`,
    [JSON.stringify(replay)],
  );
};

/** Counts the open replays of an endpoint. */
export async function countReplays(tx: Db, endpoint_id: string): Promise<number> {
  const [row] = await run<{ n: number }>(
    tx,
    'select count(*)::integer as n from webhooks.replays where endpoint_id = $1',
    [endpoint_id],
  );
  return row?.n ?? 0;
}
