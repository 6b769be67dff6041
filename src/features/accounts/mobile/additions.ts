import type { CredentialAdditions } from '#kernel/access/additions.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { listAdded } from './device-store.ts';
import { endDevice } from './enter.ts';

/** Devices that stay logged in. */
export const deviceAdditions = (deps: Pick<Kernel, 'sessions'>): CredentialAdditions => ({
  async list(db, user_id, since) {
    const devices = await listAdded(db, user_id, since);
    return devices.map(({ name, platform, created_at }) => ({
      what: { en: `device ${name} (${platform})`, id: `perangkat ${name} (${platform})` },
      at: created_at,
    }));
  },
  async undo(tx, user_id, since) {
    const devices = await listAdded(tx, user_id, since);
    for (const { device_id } of devices) await endDevice(deps, tx, device_id);
    return devices.length;
  },
});
