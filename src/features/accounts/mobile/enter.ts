import type { Login } from '#features/accounts/sign-in/sign-in.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { surroundingOf } from '#kernel/network.ts';
import { newObjectUuid } from '#kernel/object-id.ts';
import { newToken } from '#kernel/secrets/token.ts';
import type { MobileDeps, MobileEntering } from './deps.ts';
import { type DeviceProof, thumbprintOf, wrongProof } from './device-key.ts';
import {
  type DeviceRow,
  findAppDevice,
  insertDevice,
  insertRefreshToken,
  listDevices,
  removeDevice,
  renewDevice,
  takeDeviceProof,
} from './device-store.ts';
import { emitDevice } from './events.ts';
import { type DeviceInput, shownDevice } from './shapes.ts';

const DEVICES_MAX = 10;
const TOKEN_S = 15 * 60;
const REFRESH_MS = 30 * 24 * 3600_000;

/** Tokens of a device, as their answer has them. */
export interface DeviceTokens {
  readonly token: string;
  readonly expires_at: string;
  readonly refresh_token: string;
  readonly refresh_expires_at: string;
}

export interface DeviceLogIn {
  readonly login: Login;
  readonly device: DeviceRow;
  readonly session_id: string;
  readonly tokens: DeviceTokens;
}

/** Uses a proof up. Throws DEVICE_PROOF_INVALID where it was used before. */
export async function useDeviceProof(tx: Db, { mark, expires_at }: DeviceProof): Promise<void> {
  if (!(await takeDeviceProof(tx, mark, expires_at))) throw wrongProof();
}

/** Checks that a device is described with the key that has signed the request's proof. */
export async function requireOwnKey(device: DeviceInput, proof: DeviceProof): Promise<void> {
  if ((await thumbprintOf(device.public_key)) !== proof.thumbprint) throw wrongProof();
}

interface Entry {
  readonly login: Login;
  readonly device: DeviceInput;
}

/**
 * Opens the log-in of a device whose user's row is locked. The same device by the same key takes the place of its
 * former log-in; by another key it is a new device. Throws DEVICE_LIMIT_REACHED.
 */
export async function enterDevice(
  deps: MobileDeps,
  tx: Db,
  { key, request, proof }: MobileEntering,
  { login, device }: Entry,
): Promise<DeviceLogIn> {
  await requireOwnKey(device, proof);
  const { user_id } = login;
  const { client_id } = login.client;
  const former = await findAppDevice(tx, user_id, device.id);
  const isSame = former?.open === true && former.thumbprint === proof.thumbprint;
  if (former && isSame) await endLogIn(deps, tx, former);
  else if (former) await endDevice(deps, tx, former.device_id);
  if (!isSame) await requireRoom(tx, user_id);
  const until = new Date(deps.clock.now().getTime() + REFRESH_MS);
  const opened = await deps.sessions.open(tx, {
    user_id,
    client_id,
    key_id: key.key_id,
    method: 'mobile',
    request,
    renewable: { token_s: TOKEN_S, until },
  });
  const { session_id } = opened;
  const shown = {
    name: device.name,
    platform: device.platform,
    push_token: device.push_token ?? null,
    session_id,
    last_network: surroundingOf(request.ip),
  };
  const row =
    former && isSame
      ? await renewDevice(tx, { device_id: former.device_id, ...shown })
      : await insertDevice(tx, {
          device_id: newObjectUuid(deps.clock.now().getTime()),
          client_id,
          user_id,
          app_device_id: device.id,
          public_key: device.public_key,
          thumbprint: proof.thumbprint,
          ...shown,
        });
  if (!isSame) await tellAdded(deps, tx, row, request);
  const tokens = await giveTokens(deps, tx, row.device_id, {
    token: opened.token,
    refresh: newToken(),
  });
  return { login, device: row, session_id, tokens };
}

async function requireRoom(tx: Db, user_id: number): Promise<void> {
  const open = await listDevices(tx, user_id, { limit: DEVICES_MAX, before: undefined });
  if (open.length < DEVICES_MAX) return;
  const devices = open.map((row) => shownDevice(row, ''));
  throw fail('DEVICE_LIMIT_REACHED', `A user has at most ${DEVICES_MAX} devices`, {
    details: { devices },
  });
}

async function tellAdded(
  { notices }: MobileDeps,
  tx: Db,
  row: DeviceRow,
  request: MobileEntering['request'],
): Promise<void> {
  emitDevice(tx, 'added', row);
  const { user_id, client_id, name, platform } = row;
  await logActivity(tx, {
    action: 'DEVICE_ADDED',
    actor: { user_id, client_id },
    details: { name, platform },
    request,
  });
  await notices.sendDue(tx, user_id);
}

/** A new pair: a token, and the refresh token that is now the device's last one. */
export async function giveTokens(
  { clock }: Pick<MobileDeps, 'clock'>,
  tx: Db,
  device_id: string,
  { token, refresh }: { readonly token: string; readonly refresh: ReturnType<typeof newToken> },
): Promise<DeviceTokens> {
  const now = clock.now().getTime();
  const expires_at = new Date(now + REFRESH_MS);
  await insertRefreshToken(tx, { digest: refresh.digest, device_id, expires_at });
  return {
    token,
    expires_at: new Date(now + TOKEN_S * 1000).toISOString(),
    refresh_token: refresh.token,
    refresh_expires_at: expires_at.toISOString(),
  };
}

/** Another token for a device's log-in; nothing where that has ended. */
export async function renewToken(
  { clock, sessions }: Pick<MobileDeps, 'clock' | 'sessions'>,
  tx: Db,
  session_id: string,
): Promise<string | undefined> {
  const until = new Date(clock.now().getTime() + REFRESH_MS);
  return (await sessions.renew(tx, session_id, { token_s: TOKEN_S, until }))?.token;
}

async function endLogIn(
  { sessions }: Pick<MobileDeps, 'sessions'>,
  tx: Db,
  { session_id }: DeviceRow,
): Promise<void> {
  await sessions.revoke(tx, session_id);
}

/** Ends a device and its log-in; nothing where it was ended before. */
export async function endDevice(
  deps: Pick<MobileDeps, 'sessions'>,
  tx: Db,
  device_id: string,
): Promise<DeviceRow | undefined> {
  const row = await removeDevice(tx, device_id);
  if (!row) return undefined;
  await endLogIn(deps, tx, row);
  emitDevice(tx, 'removed', row);
  return row;
}
