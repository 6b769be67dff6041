import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import { forgetMobileCodes } from './code-store.ts';
import type { MobileDeps } from './deps.ts';
import { deviceRoutes } from './device-routes.ts';
import { forgetDevices, listEnded } from './device-store.ts';
import { endDevice } from './enter.ts';
import { DEVICE_EVENTS } from './events.ts';
import { mobileLogInRoutes } from './log-in-routes.ts';
import { MOBILE_PERSON_DATA } from './person-data.ts';
import { MOBILE_WORDS } from './reference.ts';
import { mobileCodeJob } from './request-code.ts';

export { deviceAdditions } from './additions.ts';
export type { MobileDeps } from './deps.ts';
export { readDeviceProof } from './device-key.ts';
export { lockOwner } from './device-store.ts';
export { type DeviceLogIn, enterDevice, requireOwnKey, useDeviceProof } from './enter.ts';
export { keptDevice, loggedInOf } from './log-in-routes.ts';
export { DeviceInput, DeviceLoggedIn } from './shapes.ts';

const DAY_MS = 24 * 3600_000;
/** Devices of one run; the next is a minute later. */
const ENDED_MAX = 1000;

/** Log-ins of apps by the phone, kept by the key of the device. */
export function createMobile(deps: MobileDeps): Feature {
  const sending = mobileCodeJob(deps);
  return {
    name: 'mobile',
    personData: MOBILE_PERSON_DATA,
    reference: MOBILE_WORDS,
    routes: [...mobileLogInRoutes({ ...deps, sending }), ...deviceRoutes(deps)],
    jobs: [sending],
    schedules: [endedSchedule(deps), forgetSchedule(deps)],
    events: DEVICE_EVENTS,
  };
}

/** Says of devices that their log-in has ended: with its session, its time, its owner's phone or account. */
const endedSchedule = (deps: MobileDeps) =>
  defineSchedule({
    name: 'mobile.ended-devices',
    cron: '* * * * *',
    async run() {
      for (const { device_id } of await listEnded(deps.db, ENDED_MAX))
        await transact(deps.db, (tx) => endDevice(deps, tx, device_id));
    },
  });

const forgetSchedule = ({ db, clock }: Pick<MobileDeps, 'db' | 'clock'>) =>
  defineSchedule({
    name: 'mobile.forget',
    cron: '23 * * * *',
    async run() {
      const now = clock.now().getTime();
      await forgetMobileCodes(db, new Date(now - DAY_MS).toISOString());
      await forgetDevices(db, new Date(now).toISOString());
    },
  });
