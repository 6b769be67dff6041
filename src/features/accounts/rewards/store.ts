import type { Insertable } from 'kysely';
import { memberIsLoggedIn } from '#kernel/access/sessions.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { deferWrite } from '#kernel/db/deferred-writes.ts';
import type { Row } from '#kernel/db/row.ts';
import type { UserxRewards } from '#kernel/db/schema.generated.ts';
import { readTallies } from '#kernel/tallies/tallies.ts';

export interface DeviceUse {
  readonly userx_id: number;
  readonly device_token: string;
  /** Whether the log-in had a proof beyond a phone number, which anybody may know. */
  readonly proven: boolean;
  readonly now: Date;
}

/** Locks the device until the transaction ends: no other member begins to use it meanwhile. */
export const lockDevice = (tx: Db, device_token: string) =>
  run(tx, `select pg_advisory_xact_lock(hashtextextended('device ' || $1, 0))`, [device_token]);

type FormerHolder = Row<'userx', 'userx_id' | 'phonex' | 'userx_status'>;

/** Takes the device from a member where that is allowed; answers from whom. */
export async function releaseDevice(tx: Db, use: DeviceUse): Promise<FormerHolder | undefined> {
  const { device_token, userx_id, proven, now } = use;
  return (await run<FormerHolder>(tx, RELEASE, [device_token, userx_id, proven, now]))[0];
}

const RELEASE = `
  update userx x set device_token = null
   where x.device_token = $1 and x.userx_id <> $2
     and ($3::boolean or x.userx_status <> 'ACTIVE' or not ${memberIsLoggedIn('x.userx_id', '$4')})
  returning x.userx_id, x.phonex, x.userx_status`;

/** Whether it is that member's now: not while another member has it. */
export async function takeDevice(tx: Db, device_token: string, userx_id: number): Promise<boolean> {
  return (await run(tx, TAKE, [device_token, userx_id])).length === 1;
}

const TAKE = `
  update userx x set device_token = $1
   where x.userx_id = $2
     and not exists (select from userx o where o.device_token = $1 and o.userx_id <> $2)
  returning x.userx_id`;

export interface Contacts {
  readonly names: readonly string[];
  readonly phones: readonly string[];
}

/** Replaces all, in their order. */
export async function putContacts(
  tx: Db,
  userx_id: number,
  { names, phones }: Contacts,
): Promise<void> {
  await tx.deleteFrom('userx_contacts').where('userx_id', '=', userx_id).execute();
  await run(
    tx,
    `insert into userx_contacts (userx_id, position, contact_name, contact_phone)
     select $1, c.position, c.name, c.phone
       from unnest($2::text[], $3::text[]) with ordinality c(name, phone, position)`,
    [userx_id, names, phones],
  );
}

export interface Notification {
  readonly title: string;
  readonly message: string;
}

export const insertNotification = (tx: Db, userx_id: number, { title, message }: Notification) =>
  deferWrite(tx, 'insert into userx_notifications (userx_id, title, message) values ($1, $2, $3)', [
    userx_id,
    title,
    message,
  ]);

/** Newest first. */
export const listNotifications = (
  db: Db,
  userx_id: number,
  page: { readonly limit: number; readonly before: number | undefined },
) =>
  db
    .selectFrom('userx_notifications')
    .where('userx_id', '=', userx_id)
    .$if(page.before !== undefined, (q) => q.where('push_id', '<', page.before ?? 0))
    .orderBy('push_id', 'desc')
    .limit(page.limit)
    .select(['push_id', 'title', 'message', 'read', 'created_at'])
    .execute();

/** Whether this action was rewarded for the first time. */
export async function insertReward(tx: Db, reward: Insertable<UserxRewards>): Promise<boolean> {
  const first = await tx
    .insertInto('userx_rewards')
    .values(reward)
    .onConflict((conflict) => conflict.doNothing())
    .returning('points')
    .executeTakeFirst();
  return first !== undefined;
}

/** The actions that a member has been paid for. */
export async function rewardedActions(db: Db, userx_id: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('userx_rewards')
    .where('userx_id', '=', userx_id)
    .select('action')
    .execute();
  return new Set(rows.map(({ action }) => action));
}

/** `base`, the real members, and the hourly steps so far. */
export async function countWishlist(db: Db, base: number): Promise<number> {
  const [row] = await run<{ count: number }>(
    db,
    'select total as count from wishlist_growth order by hour desc limit 1',
    [],
  );
  const members = (await readTallies(db, 'rewards')).get('members') ?? 0;
  return base + members + (row?.count ?? 0);
}

/** Adds the steps of hours in which the service was down. */
export const growUntil = (db: Db, hour: Date) =>
  run(
    db,
    `with last as (select hour, total from wishlist_growth order by hour desc limit 1),
     steps as (
       select h as hour, 3 + floor(random() * 8)::integer as increment
         from generate_series(
                coalesce((select hour from last) + interval '1 hour', $1),
                $1::timestamptz, interval '1 hour') h)
     insert into wishlist_growth (hour, increment, total)
     select hour, increment,
            coalesce((select total from last), 0) + sum(increment) over (order by hour)
       from steps
     on conflict do nothing`,
    [hour],
  );
