import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Db } from '#kernel/db/db.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { notify } from './notifications.ts';
import { type DeviceUse, lockDevice, releaseDevice, takeDevice } from './store.ts';
import { REWARD_TEXTS } from './texts.ts';

const DEVICE_MOVED = inEachLanguage(REWARD_TEXTS, ({ deviceMoved }) => deviceMoved);

/**
 * A device shows one member's notifications. It becomes that of the member who logs in on it, unless another one is
 * logged in there: then only a proven log-in takes it, and the other is notified. Answers whether it is the member's
 * now.
 */
export async function useDevice(tx: Db, messages: Messages, use: DeviceUse): Promise<boolean> {
  const { userx_id, device_token } = use;
  await lockDevice(tx, device_token);
  const former = await releaseDevice(tx, use);
  if (former?.userx_status === 'ACTIVE')
    await notify(tx, messages, { ...former, device_token: null }, DEVICE_MOVED);
  return takeDevice(tx, device_token, userx_id);
}
