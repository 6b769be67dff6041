import { type Db, run } from '#kernel/db/db.ts';
import { announce, type WebhookEndpoint } from './endpoint-store.ts';

/** A change of an endpoint's status or place. */
export type EndpointTurn = 'failing' | 'recovered' | 'expired' | 'gone' | 'not_public';
export type DisabledWhy = 'gone' | 'failing' | 'not_public';

/** active to failing: only probes go there. Undefined where the lease is lost or it is not active. */
export async function markFailing(tx: Db, lease: string): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints set status = 'failing', updated_at = service_now()
      where lease = $1 and status = 'active' and probe_at is not null returning *`,
    [lease],
  );
  return row;
}

/** failing to active. Undefined where the lease is lost or it is not failing. */
export async function markRecovered(tx: Db, lease: string): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints set status = 'active', warnings = 0, updated_at = service_now()
      where lease = $1 and status = 'failing' returning *`,
    [lease],
  );
  return row;
}

/** Disables an endpoint, which keeps its place. Undefined where it is neither active nor failing. */
export async function disableWebhook(
  tx: Db,
  endpoint_id: string,
  why: DisabledWhy,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints
        set status = 'disabled', disabled_why = $2, probe_at = null, revision = revision + 1,
          updated_at = service_now()
      where endpoint_id = $1 and status in ('active', 'failing') returning *`,
    [endpoint_id, why],
  );
  // The process that serves it would otherwise go on until it renews the lease.
  if (row) await announce(tx, endpoint_id);
  return row;
}

/** Moves the endpoint to the oldest position in the log. Undefined where the lease is lost. */
export async function skipForgotten(
  tx: Db,
  lease: string,
  place: number,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    'update webhooks.endpoints set place = $2 where lease = $1 and place < $2 returning *',
    [lease, place],
  );
  return row;
}

/** Counts one more warning for endpoints that have failed since before that time; answers each once. */
export const takeWarnings = (
  tx: Db,
  { before, warnings, limit }: { before: Date; warnings: number; limit: number },
): Promise<WebhookEndpoint[]> =>
  run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints e set warnings = $2 + 1
       from (select endpoint_id from webhooks.endpoints
              where status = 'failing' and failing_since <= $1 and warnings = $2
              order by failing_since limit $3 for update skip locked) late
      where e.endpoint_id = late.endpoint_id returning e.*`,
    [before.toISOString(), warnings, limit],
  );

/** Endpoints that have failed since before that time. */
export const listFailing = (db: Db, before: Date, limit: number): Promise<WebhookEndpoint[]> =>
  run<WebhookEndpoint>(
    db,
    `select * from webhooks.endpoints
      where status = 'failing' and failing_since <= $1 order by failing_since limit $2`,
    [before.toISOString(), limit],
  );

/** Recipients of mails about an endpoint: the admins of its client, or the client itself. */
export async function webhookAddressesOf(
  db: Db,
  client_id: number,
): Promise<readonly { readonly user_id: number | null; readonly email: string }[]> {
  return run(
    db,
    `select user_id, email from users
      where client_id = $1 and role = 'admin' and user_status = 'ACTIVE'
      union all
     select null, c.email from clients c
      where c.client_id = $1 and not exists (select from users
        where client_id = $1 and role = 'admin' and user_status = 'ACTIVE')
      order by user_id limit 10`,
    [client_id],
  );
}
