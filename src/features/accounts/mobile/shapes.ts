import { type Static, Type } from 'typebox';
import type { Login } from '#features/accounts/sign-in/sign-in.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Id,
  nameInput,
  oneOfWords,
  TextOrNull,
  Timestamp,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { objectId } from '#kernel/object-id.ts';
import { DeviceKey } from './device-key.ts';
import type { DeviceRow } from './device-store.ts';
import { DEVICE_PLATFORMS } from './platforms.ts';

const NAME_MAX = 60;
export const PushToken = Type.String({ minLength: 1, maxLength: 4096, pattern: '^\\S+$' });
export const DeviceName = nameInput(NAME_MAX);

/** The device of a log-in, as its app describes it. */
export const DeviceInput = named('DeviceInput', {
  id: explained(Uuid, 'The app’s own, the same at every log-in of this device'),
  name: DeviceName,
  platform: oneOfWords(DEVICE_PLATFORMS),
  public_key: DeviceKey,
  push_token: Type.Optional(PushToken),
});
export type DeviceInput = Static<typeof DeviceInput>;

const DEVICE = {
  device_id: objectIdField('dev'),
  name: Type.String(),
  platform: oneOfWords(DEVICE_PLATFORMS),
  created_at: Timestamp,
  last_used_at: Timestamp,
  last_network: explained(Type.String(), 'Its last /24 or /48'),
};

/** A device in events. */
export const DeviceData = named('DeviceEventData', { user_id: Id, ...DEVICE });

export const ShownDevice = named('Device', {
  ...DEVICE,
  is_current: explained(Type.Boolean(), 'The device of the request'),
});

const deviceOf = (row: DeviceRow) => ({
  device_id: objectId('dev', row.device_id),
  name: row.name,
  platform: row.platform,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  last_network: row.last_network,
});

export const deviceData = (row: DeviceRow): Static<typeof DeviceData> => ({
  user_id: row.user_id,
  ...deviceOf(row),
});

export const shownDevice = (row: DeviceRow, session_id: string): Static<typeof ShownDevice> => ({
  ...deviceOf(row),
  is_current: row.session_id === session_id,
});

/** Tokens of a device's log-in. */
export const DEVICE_TOKENS = {
  token: secret(Type.String()),
  expires_at: explained(Timestamp, 'Of the token'),
  refresh_token: secret(Type.String()),
  refresh_expires_at: explained(Timestamp, 'Unless it is used before'),
};

export const DeviceLoggedIn = named('DeviceLoggedIn', {
  ...DEVICE_TOKENS,
  user: Type.Object({
    user_id: Id,
    email: Type.String(),
    role: Type.String(),
    username: Type.String(),
    phone: TextOrNull,
    ekyc_status: Type.String(),
  }),
  device: ShownDevice,
});

export const deviceUser = (login: Login) => {
  const { user_id, email, role, username, phone, verification } = login;
  return { user_id, email, role, username, phone, ekyc_status: verification };
};
