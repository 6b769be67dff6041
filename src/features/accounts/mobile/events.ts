import { defineObject } from '#kernel/events/define-object.ts';
import { objectId } from '#kernel/object-id.ts';
import type { DeviceRow } from './device-store.ts';
import { DeviceData, deviceData } from './shapes.ts';

const AT = '2026-11-28T03:00:58.447Z';

/** Devices that stay logged in. */
const devices = defineObject<DeviceRow, typeof DeviceData>({
  schema: DeviceData,
  since: '2026-11',
  example: {
    user_id: 3,
    device_id: 'dev_06f4t3xet5c77bsdh7wedf8g8s',
    name: 'Ada’s phone',
    platform: 'ios',
    created_at: AT,
    last_used_at: AT,
    last_network: '203.0.113.0/24',
  },
  key: ({ client_id, user_id, device_id }) => ({
    client_id,
    user_id,
    id: objectId('dev', device_id),
  }),
  show: deviceData,
}).events('device', {
  added: 'A device was logged in, and stays so',
  removed: 'A device is logged in no more',
});

export const DEVICE_EVENTS = devices.types;
export const emitDevice = devices.emit;
