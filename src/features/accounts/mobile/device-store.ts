import { type Db, run } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';
import type { DEVICE_PLATFORMS } from './platforms.ts';

export type DeviceRow = Row<
  'mobile_devices',
  | 'device_id'
  | 'client_id'
  | 'user_id'
  | 'app_device_id'
  | 'name'
  | 'thumbprint'
  | 'session_id'
  | 'last_network'
  | 'created_at'
  | 'last_used_at'
  | 'removed_at'
> & { readonly platform: (typeof DEVICE_PLATFORMS)[number]; readonly serial: string };

const COLUMNS = `d.device_id, d.serial, d.client_id, d.user_id, d.app_device_id, d.name, d.platform, d.thumbprint,
  d.session_id, d.last_network, d.created_at, d.last_used_at, d.removed_at`;

/** Whether its log-in can still be renewed. */
const IS_OPEN = `exists (select from sessions s
  where s.session_id = d.session_id and s.revoked_at is null and s.expires_at > service_now())`;
const OPEN = `d.removed_at is null and ${IS_OPEN}`;

export interface NewDevice {
  readonly device_id: string;
  readonly client_id: number;
  readonly user_id: number;
  readonly app_device_id: string;
  readonly name: string;
  readonly platform: string;
  readonly public_key: object;
  readonly thumbprint: string;
  readonly push_token: string | null;
  readonly session_id: string;
  readonly last_network: string;
}

export async function insertDevice(tx: Db, device: NewDevice): Promise<DeviceRow> {
  const [row] = await run<DeviceRow>(
    tx,
    `insert into mobile_devices as d (device_id, client_id, user_id, app_device_id, name, platform, public_key,
       thumbprint, push_token, session_id, last_network)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${COLUMNS}`,
    [
      device.device_id,
      device.client_id,
      device.user_id,
      device.app_device_id,
      device.name,
      device.platform,
      JSON.stringify(device.public_key),
      device.thumbprint,
      device.push_token,
      device.session_id,
      device.last_network,
    ],
  );
  if (!row) throw new Error('a device was not inserted');
  return row;
}

export type DeviceLogInAgain = Pick<
  NewDevice,
  'device_id' | 'name' | 'platform' | 'push_token' | 'session_id' | 'last_network'
>;

/** The same device by the same key, logged in again. */
export async function renewDevice(tx: Db, again: DeviceLogInAgain): Promise<DeviceRow> {
  const [row] = await run<DeviceRow>(
    tx,
    `update mobile_devices d set name = $2, platform = $3, push_token = $4, session_id = $5, last_network = $6,
       last_used_at = service_now()
      where device_id = $1 returning ${COLUMNS}`,
    [
      again.device_id,
      again.name,
      again.platform,
      again.push_token,
      again.session_id,
      again.last_network,
    ],
  );
  if (!row) throw new Error('a device was not renewed');
  return row;
}

export interface DevicePage {
  readonly limit: number;
  readonly before: number | undefined;
}

/** A user's devices that are logged in, newest first. */
export const listDevices = (
  db: Db,
  user_id: number,
  { limit, before }: DevicePage,
): Promise<DeviceRow[]> =>
  run<DeviceRow>(
    db,
    `select ${COLUMNS} from mobile_devices d
      where d.user_id = $1 and ${OPEN} and ($3::bigint is null or d.serial < $3)
      order by d.serial desc limit $2`,
    [user_id, limit, before ?? null],
  );

/** One of them, with its row locked. */
export async function lockDeviceOf(
  tx: Db,
  user_id: number,
  device_id: string,
): Promise<DeviceRow | undefined> {
  const text = `select ${COLUMNS} from mobile_devices d
    where d.device_id = $1 and d.user_id = $2 and ${OPEN} for no key update`;
  return (await run<DeviceRow>(tx, text, [device_id, user_id]))[0];
}

/** The device of a log-in, where that is one's. */
export async function findBySession(
  db: Db,
  user_id: number,
  session_id: string,
): Promise<Pick<DeviceRow, 'device_id'> | undefined> {
  const text = `select device_id from mobile_devices
    where session_id = $1 and user_id = $2 and removed_at is null`;
  return (await run<Pick<DeviceRow, 'device_id'>>(db, text, [session_id, user_id]))[0];
}

/** The one that its app calls so, also where its log-in has ended and nothing was said of it yet. */
export async function findAppDevice(
  tx: Db,
  user_id: number,
  app_device_id: string,
): Promise<(DeviceRow & { readonly open: boolean }) | undefined> {
  const text = `select ${COLUMNS}, ${IS_OPEN} as open from mobile_devices d
    where d.user_id = $1 and d.app_device_id = $2 and d.removed_at is null`;
  return (await run<DeviceRow & { open: boolean }>(tx, text, [user_id, app_device_id]))[0];
}

export async function editDevice(
  tx: Db,
  device_id: string,
  { name, push_token }: { readonly name?: string; readonly push_token?: string },
): Promise<DeviceRow> {
  const [row] = await run<DeviceRow>(
    tx,
    `update mobile_devices d set name = coalesce($2, name), push_token = coalesce($3, push_token)
      where device_id = $1 returning ${COLUMNS}`,
    [device_id, name ?? null, push_token ?? null],
  );
  if (!row) throw new Error('a device was not changed');
  return row;
}

/** Removes it for good; nothing where it was removed before. */
export async function removeDevice(tx: Db, device_id: string): Promise<DeviceRow | undefined> {
  const text = `update mobile_devices d set removed_at = service_now()
    where device_id = $1 and removed_at is null returning ${COLUMNS}`;
  return (await run<DeviceRow>(tx, text, [device_id]))[0];
}

/** Devices whose log-in has ended without them. */
export const listEnded = (db: Db, limit: number): Promise<Pick<DeviceRow, 'device_id'>[]> =>
  run<Pick<DeviceRow, 'device_id'>>(
    db,
    `select d.device_id from mobile_devices d where d.removed_at is null and not ${IS_OPEN} limit $1`,
    [limit],
  );

/** Devices that a user has added after a time, newest first; those too whose log-in has just ended. */
export const listAdded = (db: Db, user_id: number, since: string | null): Promise<DeviceRow[]> =>
  run<DeviceRow>(
    db,
    `select ${COLUMNS} from mobile_devices d
      where d.user_id = $1 and d.removed_at is null and d.created_at > coalesce($2::timestamptz, '-infinity')
      order by d.created_at desc limit 100`,
    [user_id, since],
  );

/** Locks a user's row, which every log-in of a device and every end of all of them takes. */
export async function lockOwner(
  tx: Db,
  user_id: number,
): Promise<Row<'users', 'user_status' | 'twofa_enabled' | 'phone'> | undefined> {
  const text = `select user_status, twofa_enabled, phone from users where user_id = $1 for no key update`;
  return (
    await run<Row<'users', 'user_status' | 'twofa_enabled' | 'phone'>>(tx, text, [user_id])
  )[0];
}

/** Uses a proof of a key up; false where it was used before. */
export async function takeDeviceProof(tx: Db, mark: Buffer, expires_at: Date): Promise<boolean> {
  const rows = await run(
    tx,
    `insert into device_proofs (mark, expires_at) values ($1, $2) on conflict do nothing returning 1`,
    [mark, expires_at],
  );
  return rows.length > 0;
}

/** The device whose token it is or was, with the device's row locked. */
export async function lockByRefreshToken(tx: Db, digest: Buffer): Promise<DeviceRow | undefined> {
  const text = `select ${COLUMNS} from mobile_devices d
    where d.device_id = (select device_id from refresh_tokens where digest = $1) for no key update`;
  return (await run<DeviceRow>(tx, text, [digest]))[0];
}

type TokenState = Row<'refresh_tokens', 'expires_at' | 'spent_at' | 'void_at' | 'successor'> & {
  readonly open: boolean;
};

/** Its state; the device's row is locked. */
export async function readRefreshToken(tx: Db, digest: Buffer): Promise<TokenState | undefined> {
  const text = `select t.expires_at, t.spent_at, t.void_at, t.successor, t.session_id = d.session_id and ${OPEN} as open
    from refresh_tokens t join mobile_devices d using (device_id) where t.digest = $1`;
  return (await run<TokenState>(tx, text, [digest]))[0];
}

/** The next token of a device, in the chain of its present log-in. */
export async function insertRefreshToken(
  tx: Db,
  token: { readonly digest: Buffer; readonly device_id: string; readonly expires_at: Date },
): Promise<void> {
  const { digest, device_id, expires_at } = token;
  await run(
    tx,
    `insert into refresh_tokens (digest, device_id, session_id, expires_at)
     select $1, device_id, session_id, $3 from mobile_devices where device_id = $2`,
    [digest, device_id, expires_at],
  );
}

/** Spends a token for its successor; at a repetition the time of the first use stays. */
export async function spendRefreshToken(tx: Db, digest: Buffer, successor: Buffer): Promise<void> {
  await run(
    tx,
    `update refresh_tokens set spent_at = coalesce(spent_at, service_now()), successor = $2 where digest = $1`,
    [digest, successor],
  );
}

/** Voids what was never used; false where it was used or void before. */
export async function voidRefreshToken(tx: Db, digest: Buffer): Promise<boolean> {
  const rows = await run(
    tx,
    `update refresh_tokens set void_at = service_now()
      where digest = $1 and spent_at is null and void_at is null returning 1`,
    [digest],
  );
  return rows.length > 0;
}

export async function noteDeviceUse(tx: Db, device_id: string, network: string): Promise<void> {
  const text = `update mobile_devices set last_used_at = service_now(), last_network = $2 where device_id = $1`;
  await run(tx, text, [device_id, network]);
}

const REMOVED_KEPT = `removed_at < service_now() - interval '30 days'`;

/** Forgets what has lapsed. */
export async function forgetDevices(db: Db, at: string): Promise<void> {
  await deleteInBatches(db, 'device_proofs', 'expires_at <= $1', [at]);
  await deleteInBatches(db, 'refresh_tokens', 'expires_at <= $1', [at]);
  await deleteInBatches(db, 'mobile_devices', REMOVED_KEPT, []);
}
