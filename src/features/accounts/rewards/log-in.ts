import type { Messages } from '#features/messaging/messages/messages.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { KeyCaller, RequestFacts } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { SIGN_UPS } from '#kernel/quota/sign-ups.ts';
import { useDevice } from './devices.ts';
import { active, findOrInsertMember, type Member } from './member-store.ts';
import { onlyPoints, pointsOf, reward, type ShownPoints } from './points.ts';

export type MemberLogInDeps = Pick<Kernel, 'clock' | 'sessions' | 'quotas'> & {
  readonly messages: Messages;
};

export interface PhoneLogIn {
  readonly phone: string;
  readonly device_token: string | undefined;
  readonly caller: KeyCaller;
  /** Whether a code has proven the number. */
  readonly proven: boolean;
  readonly request: RequestFacts;
}

export interface PhoneLoggedIn {
  readonly token: string;
  readonly member: Member;
  readonly points: ShownPoints;
  /** Whether notifications go to the device; missing where the request named none. */
  readonly device_registered?: boolean;
}

/** Logs in the owner of that number; the first time this creates the account, with its welcome points. */
export async function logInByPhone(
  { clock, sessions, messages, quotas }: MemberLogInDeps,
  tx: Db,
  { phone, device_token, proven, caller, request }: PhoneLogIn,
): Promise<PhoneLoggedIn> {
  const { created, ...member } = await findOrCreate(tx, phone);
  if (created) await quotas.spend(tx, SIGN_UPS.rewardsMember, requesterOf(caller, request));
  const { userx_id } = active(member);
  const device =
    device_token !== undefined ? { device_token, userx_id, proven, now: clock.now() } : undefined;
  const registered = device && (await useDevice(tx, messages, device));
  const { token } = await sessions.open(tx, { userx_id, method: 'phone', request });
  const own = registered ? device?.device_token : member.device_token;
  const welcome = { ...member, device_token: own ?? null };
  const points = created
    ? onlyPoints(await reward(tx, messages, welcome, 'welcome'))
    : await pointsOf(tx, userx_id);
  return {
    token,
    member,
    points,
    ...(registered !== undefined && { device_registered: registered }),
  };
}

/** Concurrent requests for a new number wait here for the one that creates the account. */
async function findOrCreate(tx: Db, phone: string): Promise<Member & { created: boolean }> {
  const found = await findOrInsertMember(tx, phone);
  // Nothing: a concurrent request has created it, and the next read sees it.
  const member = found ?? (await findOrInsertMember(tx, phone));
  if (!member) throw new Error(`The account of ${phone} vanished`);
  return member;
}
