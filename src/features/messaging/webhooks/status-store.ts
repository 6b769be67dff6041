import { type Db, run } from '#kernel/db/db.ts';
import { announce, type WebhookEndpoint } from './endpoint-store.ts';

export type DisabledWhy = 'gone' | 'failing' | 'not_public';

/** Stops an endpoint that fails: only probes go there. Nothing where it is not ours or not active. */
export async function markFailing(tx: Db, lease: string): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints set status = 'failing', updated_at = service_now()
      where lease = $1 and status = 'active' and probe_at is not null returning *`,
    [lease],
  );
  return row;
}

/** Opens it again. Nothing where it is not ours or has not failed. */
export async function markRecovered(tx: Db, lease: string): Promise<WebhookEndpoint | undefined> {
  const [row] = await run<WebhookEndpoint>(
    tx,
    `update webhooks.endpoints set status = 'active', warnings = 0, updated_at = service_now()
      where lease = $1 and status = 'failing' returning *`,
    [lease],
  );
  return row;
}

/** Ends what is sent to an endpoint, which keeps its place. Nothing where that is so already. */
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
  // Who serves it has to hear of it, whoever disables it, or would go on until the lease is renewed.
  if (row) await announce(tx, endpoint_id);
  return row;
}

/** Goes on from where the log still is. Nothing where the endpoint is not ours. */
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

/** Counts one more warning for those that have failed since before that time; each is answered once. */
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

/** Those that have failed since before that time. */
export const listFailing = (db: Db, before: Date, limit: number): Promise<WebhookEndpoint[]> =>
  run<WebhookEndpoint>(
    db,
    `select * from webhooks.endpoints
      where status = 'failing' and failing_since <= $1 order by failing_since limit $2`,
    [before.toISOString(), limit],
  );

/** Whom to tell of an endpoint: the admins of its client, or the client itself. */
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
