import type { Messages } from '#features/messages/messages.ts';
import { askerOf } from '#kernel/access/asker.ts';
import type { SignUps } from '#kernel/access/sign-ups.ts';
import type { Db } from '#kernel/db/db.ts';
import type { KeyCaller, RequestFacts } from '#kernel/http/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { active, findByPhone, insertMember, type Member, useDevice } from './members.ts';
import { pointsOf, reward } from './points.ts';

export type LogInDeps = Pick<Kernel, 'sessions'> & {
  readonly messages: Messages;
  readonly signUps: SignUps;
};

export interface Entering {
  readonly phone: string;
  readonly device_token: string | undefined;
  readonly caller: KeyCaller;
  readonly request: RequestFacts;
}

/** Logs in whoever has that number; the first time this makes the account, with its welcome points. */
export async function logInByPhone(
  { sessions, messages, signUps }: LogInDeps,
  tx: Db,
  { phone, device_token, caller, request }: Entering,
): Promise<{ token: string; member: Member; point_balance: number }> {
  const { member, created } = await findOrMake(tx, phone);
  if (created) await signUps.admit(tx, 'member', askerOf(caller, request));
  const { userx_id } = active(member);
  if (device_token !== undefined) await useDevice(tx, userx_id, device_token);
  const { token } = await sessions.open(tx, { userx_id, method: 'phone', request });
  const reachable = { ...member, device_token: device_token ?? member.device_token };
  if (created) await reward(tx, messages, reachable, 'welcome');
  return { token, member, point_balance: await pointsOf(tx, userx_id) };
}

/** Whoever asks at the same moment for a new number waits here for the one who makes the account. */
async function findOrMake(tx: Db, phone: string): Promise<{ member: Member; created: boolean }> {
  const found = await findByPhone(tx, phone);
  if (found) return { member: found, created: false };
  const created = await insertMember(tx, phone);
  if (created) return { member: created, created: true };
  const theirs = await findByPhone(tx, phone);
  if (!theirs) throw new Error(`The account of ${phone} vanished`);
  return { member: theirs, created: false };
}
