import type { Messages } from '#features/messages/messages.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Member } from './members.ts';
import { notify } from './notifications.ts';

export interface DeviceUse {
  readonly userx_id: number;
  readonly device_token: string;
  /** Whether the log-in was proven by more than a phone number, which anybody may know. */
  readonly proven: boolean;
  readonly now: Date;
}

/**
 * A device shows one person's notifications. It becomes that of whoever logs in on it, unless somebody
 * else is logged in there: then only a proven log-in takes it, and the other one is told. Whether it
 * is the member's now.
 */
export async function useDevice(tx: Db, messages: Messages, use: DeviceUse): Promise<boolean> {
  const { userx_id, device_token, proven, now } = use;
  await run(tx, `select pg_advisory_xact_lock(hashtextextended('device ' || $1, 0))`, [
    device_token,
  ]);
  const [former] = await run<Former>(tx, LET_GO, [device_token, userx_id, proven, now]);
  if (former?.userx_status === 'ACTIVE')
    await notify(tx, messages, { ...former, device_token: null }, MOVED);
  return (await run(tx, TAKE, [device_token, userx_id])).length === 1;
}

type Former = Pick<Member, 'userx_id' | 'phonex' | 'userx_status'>;

const MOVED = {
  title: 'Another account uses your device',
  message: 'Your notifications go to your phone number until you log in on a device again.',
};

const LET_GO = `
  update userx x set device_token = null
   where x.device_token = $1 and x.userx_id <> $2
     and ($3::boolean or x.userx_status <> 'ACTIVE' or not exists (
       select from sessions s
        where s.userx_id = x.userx_id and s.revoked_at is null and s.expires_at > $4))
  returning x.userx_id, x.phonex, x.userx_status`;

const TAKE = `
  update userx x set device_token = $1
   where x.userx_id = $2
     and not exists (select from userx o where o.device_token = $1 and o.userx_id <> $2)
  returning x.userx_id`;
