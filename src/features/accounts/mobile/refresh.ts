import { decide } from '#kernel/access/attempts.ts';
import { clientOfKey } from '#kernel/access/authenticator.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { surroundingOf } from '#kernel/network.ts';
import { digestOf, newToken } from '#kernel/secrets/token.ts';
import type { MobileDeps, MobileEntering } from './deps.ts';
import { wrongProof } from './device-key.ts';
import {
  type DeviceRow,
  lockByRefreshToken,
  noteDeviceUse,
  readRefreshToken,
  spendRefreshToken,
  voidRefreshToken,
} from './device-store.ts';
import { type DeviceTokens, endDevice, giveTokens, renewToken, useDeviceProof } from './enter.ts';

/** An answer may have been lost: so long a used token gives a new pair, while the former one was not used. */
const GRACE_MS = 30_000;

const invalid = () => fail('REFRESH_INVALID', 'The refresh token is unknown or has ended: log in');

/**
 * A new pair for a refresh token, by the device's key. A token that is used twice ends its device, except for a lost
 * answer. Throws REFRESH_INVALID, REFRESH_REUSED and DEVICE_PROOF_INVALID.
 */
export function refreshTokens(
  deps: MobileDeps,
  db: Db,
  { key, request, proof }: MobileEntering,
  token: string,
): Promise<DeviceTokens> {
  const digest = digestOf(token);
  return decide(db, async (tx): Promise<DeviceTokens | AppError> => {
    const device = await lockByRefreshToken(tx, digest);
    const known = device && (await readRefreshToken(tx, digest));
    const client = clientOfKey(key);
    const isServed = deps.config.MOCK_MODE || (client ?? device?.client_id) === device?.client_id;
    if (!device || !known?.open || !isServed) return invalid();
    if (new Date(known.expires_at) <= deps.clock.now()) return invalid();
    // A thief without the key ends nothing.
    if (device.thumbprint !== proof.thumbprint) throw wrongProof();
    await useDeviceProof(tx, proof);
    if (known.void_at !== null) return reused(deps, tx, device);
    if (known.spent_at !== null && known.successor) {
      const age = deps.clock.now().getTime() - new Date(known.spent_at).getTime();
      const wasLost = age <= GRACE_MS && (await voidRefreshToken(tx, known.successor));
      if (!wasLost) return reused(deps, tx, device);
    }
    return rotate(deps, tx, { device, digest, ip: request.ip });
  });
}

interface Rotation {
  readonly device: DeviceRow;
  readonly digest: Buffer;
  readonly ip: string;
}

async function rotate(
  deps: MobileDeps,
  tx: Db,
  { device, digest, ip }: Rotation,
): Promise<DeviceTokens> {
  const renewed = await renewToken(deps, tx, device.session_id);
  if (renewed === undefined) throw invalid();
  // Spent before its successor is there: one token of a device lives.
  const successor = newToken();
  await spendRefreshToken(tx, digest, successor.digest);
  await noteDeviceUse(tx, device.device_id, surroundingOf(ip));
  return giveTokens(deps, tx, device.device_id, { token: renewed, refresh: successor });
}

async function reused(deps: MobileDeps, tx: Db, { device_id, user_id }: DeviceRow) {
  await endDevice(deps, tx, device_id);
  await deps.notices.record(tx, user_id, 'refresh-token-reused');
  await deps.notices.sendDue(tx, user_id);
  return fail('REFRESH_REUSED', 'The refresh token was used before: the device is logged out');
}
