import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { MessageField, stamped } from '#kernel/http/declare/schema.ts';
import { transact } from '#kernel/transact.ts';
import type { MobileDeps } from './deps.ts';
import { editDevice, findBySession, listDevices, lockDeviceOf, lockOwner } from './device-store.ts';
import { endDevice } from './enter.ts';
import { DeviceName, PushToken, ShownDevice, shownDevice } from './shapes.ts';

const endpoint = endpoints(codedEnvelope);

const params = Type.Object({ device_id: objectIdInput('dev') });
const One = stamped({ data: ShownDevice });
const unknown = () => fail('NOT_FOUND', 'Device not found');

/** Users see, name and end their devices. */
export const deviceRoutes = (deps: MobileDeps): Route[] => [
  logOutRoute(deps),
  listRoute,
  editRoute,
  deleteRoute(deps),
];

const logOutRoute = (deps: MobileDeps): Route =>
  endpoint('POST /mobile/logout', {
    name: 'mobile.logOut',
    auth: 'user',
    endsLogIn: true,
    summary: 'Ends the log-in of this device, and its refresh token',
    reply: { 200: stamped({ data: MessageField }) },
    fault: 'Logout failed',
    async handler({ caller, db }) {
      await transact(db, async (tx) => {
        const device = await findBySession(tx, caller.user_id, caller.session_id);
        if (device) await endDevice(deps, tx, device.device_id);
        else await deps.sessions.revoke(tx, caller.session_id);
      });
      return { data: { message: 'Logged out' } };
    },
  });

const listRoute = endpoint('GET /mobile/devices', {
  name: 'mobile.listDevices',
  auth: 'user',
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists the devices that are logged in, newest first',
  query: Type.Object(cursorQuery),
  reply: { 200: stamped({ data: cursorPage(ShownDevice) }) },
  fault: 'Failed to list devices',
  async handler({ caller, query, db }) {
    const { wanted, page } = cursorReader(query);
    const found = await listDevices(db, caller.user_id, wanted);
    const show = (row: (typeof found)[number]) => shownDevice(row, caller.session_id);
    return { data: page(found, ({ serial }) => Number(serial), show) };
  },
});

const editRoute = endpoint('PATCH /mobile/devices/{device_id}', {
  name: 'mobile.updateDevice',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Gives a device another name or push token',
  params,
  body: Type.Object({ name: Type.Optional(DeviceName), push_token: Type.Optional(PushToken) }),
  reply: { 200: One },
  atomic: true,
  fault: 'Failed to change the device',
  async handler({ caller, params, body, db }) {
    if (!(await lockDeviceOf(db, caller.user_id, params.device_id))) throw unknown();
    const row = await editDevice(db, params.device_id, body);
    return { data: shownDevice(row, caller.session_id) };
  },
});

const deleteRoute = (deps: MobileDeps): Route =>
  endpoint('DELETE /mobile/devices/{device_id}', {
    name: 'mobile.deleteDevice',
    auth: 'user',
    errors: ['NOT_FOUND'],
    summary: 'Logs a device out for good; its token is refused at once',
    params,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to end the device',
    async handler({ caller, params, request, db }) {
      await lockOwner(db, caller.user_id);
      const found = await lockDeviceOf(db, caller.user_id, params.device_id);
      const row = found && (await endDevice(deps, db, found.device_id));
      if (!row) throw unknown();
      const details = { name: row.name, platform: row.platform };
      await logActivity(db, { action: 'DEVICE_REMOVED', actor: caller, details, request });
      return { data: shownDevice(row, caller.session_id) };
    },
  });
