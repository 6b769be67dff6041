import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type WebhookEndpoint = Row<'webhooks.endpoints'>;

/** Whose endpoints there are for a caller. */
export interface Managing {
  /** The one client; without it, all. */
  readonly client_id?: number;
  /** Whoever a key belongs to has to be an admin of that client now, or of the operator. */
  readonly admin_id?: number;
}

/** `$1` and `$2` are the scope's; what follows is the statement's own. */
const BY_AN_ADMIN = `($2::integer is null or exists (select from users u where u.user_id = $2
    and u.client_id = coalesce($1::integer, ${OPERATOR_CLIENT_ID})
    and u.role = 'admin' and u.user_status = 'ACTIVE'))`;
const MANAGED = `($1::integer is null or e.client_id = $1) and ${BY_AN_ADMIN}`;
const scopeOf = ({ client_id, admin_id }: Managing) => [client_id ?? null, admin_id ?? null];

/** Nothing where there is none for this caller. */
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

/** The same, kept from all others until the transaction ends. */
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

/** A client's, or those of all, from the one after `after`. */
export async function listEndpoints(
  db: Db,
  scope: Managing,
  { client_id, after, limit }: { client_id?: number | undefined; after: string; limit: number },
): Promise<WebhookEndpoint[]> {
  const only = scope.client_id ?? client_id;
  if (client_id !== undefined && only !== client_id) return [];
  // Two statements, since one for both would be planned for neither.
  const narrowed = only === undefined ? '' : 'e.client_id = $5 and';
  return run<WebhookEndpoint>(
    db,
    `select * from webhooks.endpoints e
      where ${narrowed} ${BY_AN_ADMIN} and e.endpoint_id > $3 order by e.endpoint_id limit $4`,
    [...scopeOf(scope), after, limit, ...(only === undefined ? [] : [only])],
  );
}

/**
 * Holds a client's endpoints together until the transaction ends, so that they can be counted. Nothing
 * where there is no such client for the caller.
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

/** What its owner says of an endpoint. */
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

/** Leaves it alone until it is resumed. */
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

/** The same with all that a user has made; answers those that were served until now. */
export const pauseMadeBy = (tx: Db, made_by: number): Promise<WebhookEndpoint[]> =>
  run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints
        set status = 'paused', probe_at = null, revision = revision + 1, updated_at = service_now()
      where made_by = $1 and status in ('active', 'failing') returning *`,
    [made_by],
  );

/** What a user has made, whatever becomes of it. */
export const listMadeBy = (db: Db, made_by: number, limit: number): Promise<WebhookEndpoint[]> =>
  run<WebhookEndpoint>(
    db,
    'select * from webhooks.endpoints where made_by = $1 order by endpoint_id limit $2',
    [made_by, limit],
  );

/** Goes on, from a place of the log or where it stopped. Whoever may still serve it serves it no more. */
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

/** What waits of an endpoint is tried at once, or dropped. */
export async function unpark(tx: Db, endpoint_id: string, what: 'retry' | 'drop'): Promise<void> {
  const text =
    what === 'retry'
      ? `update webhooks.parked set next_at = service_now()
          where endpoint_id = $1 and next_at is not null`
      : 'delete from webhooks.parked where endpoint_id = $1';
  await run(tx, text, [endpoint_id]);
}

/** With what is parked and asked for again; its attempts are kept as long as all. */
export async function deleteEndpoint(tx: Db, endpoint_id: string): Promise<void> {
  await run(tx, 'delete from webhooks.endpoints where endpoint_id = $1', [endpoint_id]);
}

/** Lets those who serve endpoints know that there is something new about one. */
export async function announce(tx: Db, endpoint_id: string): Promise<void> {
  await run(tx, `select pg_notify('webhooks', $1)`, [endpoint_id]);
}

/** A client's endpoints that may be sent something, for what is sent once more. */
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

/** How much an endpoint was asked to repeat and has not yet. */
export async function countReplays(tx: Db, endpoint_id: string): Promise<number> {
  const [row] = await run<{ n: number }>(
    tx,
    'select count(*)::integer as n from webhooks.replays where endpoint_id = $1',
    [endpoint_id],
  );
  return row?.n ?? 0;
}
