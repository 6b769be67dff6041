import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { WebhookEndpoint } from '../endpoint-store.ts';

/** An endpoint that this process alone serves. */
export type Leased = WebhookEndpoint & { readonly lease: string; readonly approved: boolean };

/**
 * Leases end by the machine's clock, which no test moves: another process may go on then. Where a process
 * is known by its connection, they end with it.
 */
const UNTIL = `now() + interval '15 seconds'`;

/** Endpoints of suspended clients send nothing and keep their places. A subquery by number, for few rows. */
const IS_OPEN = `(select client_is_open(c.client_status) from clients c where c.client_id = e.client_id)`;

/** Whether its client is approved: other clients have smaller shares of a process. */
const IS_APPROVED = `(e.client_id = ${OPERATOR_CLIENT_ID} or exists (select from clients c
    where c.client_id = e.client_id and c.client_status = 'ACTIVE'))`;

export interface LeaseClaim {
  readonly by: number | undefined;
  readonly most: number;
  /** Whether to claim endpoints of unapproved clients, too. */
  readonly strangers: boolean;
}

/**
 * Claims endpoints that no process serves; concurrent processes get different ones. A process that has lost its
 * connection of presence claims none: its leases look abandoned, also to itself, and each endpoint would be claimed,
 * and its events sent, again and again.
 */
export async function claim(db: Db, { by, most, strangers }: LeaseClaim): Promise<Leased[]> {
  if (by !== undefined && !(await isHere(db, by))) return [];
  return run<Leased>(
    db,
    `with recursive holders as (
       (select lease_by as by from webhooks.endpoints where lease_by is not null order by lease_by limit 1)
       union all
       select (select e.lease_by from webhooks.endpoints e where e.lease_by > h.by order by e.lease_by limit 1)
         from holders h where h.by is not null),
     left_behind as materialized (
       select endpoint_id from webhooks.endpoints e
        where status in ('active', 'failing') and ${IS_OPEN} and ($3 or ${IS_APPROVED})
          and lease_by = any(array(select by from holders where process_session(by) is null))
        limit $2 for update skip locked),
     unserved as materialized (
       select endpoint_id from webhooks.endpoints e
        where status in ('active', 'failing') and ${IS_OPEN} and ($3 or ${IS_APPROVED})
          and coalesce(lease_until, '-infinity') < now()
        order by coalesce(lease_until, '-infinity') limit $2 for update skip locked),
     free as (
       select endpoint_id from left_behind union select endpoint_id from unserved
        order by endpoint_id limit $2)
     update webhooks.endpoints e
        set lease = gen_random_uuid(), lease_by = $1,
          lease_until = ${UNTIL}
       from free where e.endpoint_id = free.endpoint_id
     returning e.*, ${IS_APPROVED} as approved`,
    [by ?? null, most, strangers],
  );
}

async function isHere(db: Db, by: number): Promise<boolean> {
  const text = 'select process_session($1) is not null as yes';
  const [row] = await run<{ yes: boolean }>(db, text, [by]);
  return row?.yes ?? false;
}

export interface HeldLease {
  readonly endpoint_id: string;
  readonly lease: string;
  /** How far the log was read; it advances also where no event matched. */
  readonly place: number;
}

export type Renewed = Row<'webhooks.endpoints', 'endpoint_id' | 'revision' | 'status'> & {
  readonly approved: boolean;
};

/** Renews leases; an endpoint that is not in the answer has another lease, is deleted, or its client is suspended. */
export const renew = (db: Db, held: readonly HeldLease[]): Promise<Renewed[]> =>
  run<Renewed>(
    db,
    `update webhooks.endpoints e
        set lease_until = ${UNTIL},
          place = greatest(e.place, held.place)
       from json_to_recordset($1::json) as held (endpoint_id uuid, lease uuid, place bigint)
      where e.endpoint_id = held.endpoint_id and e.lease = held.lease and ${IS_OPEN}
     returning e.endpoint_id, e.revision, e.status, ${IS_APPROVED} as approved`,
    [JSON.stringify(held)],
  );

/** Releases leases, so that other processes claim the endpoints at once. */
export async function releaseWebhook(db: Db, held: readonly HeldLease[]): Promise<void> {
  await run(
    db,
    `update webhooks.endpoints e
        set lease = null, lease_by = null, lease_until = null, place = greatest(e.place, held.place)
       from json_to_recordset($1::json) as held (endpoint_id uuid, lease uuid, place bigint)
      where e.endpoint_id = held.endpoint_id and e.lease = held.lease`,
    [JSON.stringify(held)],
  );
}
