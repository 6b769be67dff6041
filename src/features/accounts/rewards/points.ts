import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Db } from '#kernel/db/db.ts';
import {
  type AccountName,
  balanceByName,
  houseAccount,
  openAccount,
} from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { toWire } from '#kernel/money/money.ts';
import { type Spendable, shownBalance, spendableOf } from '#kernel/money/shown-balance.ts';
import type { Action } from './actions.ts';
import { emitGranted } from './events.ts';
import type { Member } from './member-store.ts';
import { notify } from './notifications.ts';
import { insertReward, rewardedActions } from './store.ts';
import { REWARD_TEXTS } from './texts.ts';

export interface Reward {
  readonly points_awarded: number;
  readonly already_rewarded: boolean;
}

/** Contract, Points: 50 for each action, once. */
const POINTS = 50;
const HOUSE = houseAccount('rewards', 'POINTS');
/** The key of its posting. */
export const REWARD = 'reward';

const accountOf = (userx_id: number): AccountName => ({
  owner: `userx:${userx_id}`,
  purpose: 'points',
  asset: 'POINTS',
});

/**
 * Pays for an action the first time, and notifies the member, in the transaction of the action. Last in that
 * transaction, since the ledger's accounts stay locked until its end.
 */
export async function reward(
  tx: Db,
  messages: Messages,
  member: Pick<Member, 'userx_id' | 'phonex' | 'device_token'>,
  action: Action,
): Promise<Reward> {
  const { userx_id } = member;
  if (!(await insertReward(tx, { userx_id, action, points: POINTS })))
    return { points_awarded: 0, already_rewarded: true };
  emitGranted(tx, { userx_id, action, points: POINTS });
  const said = inEachLanguage(REWARD_TEXTS, ({ earned, actions, followed }) => ({
    title: earned(POINTS),
    message: action in actions ? actions[action as keyof typeof actions] : followed,
  }));
  await notify(tx, messages, member, said);
  const [house, own] = [await openAccount(tx, HOUSE), await openAccount(tx, accountOf(userx_id))];
  const key = `reward:${userx_id}:${action}`;
  const legs = transfer(house, own, BigInt(POINTS));
  const { status } = await postWithin(tx, { key, kind: REWARD, legs });
  if (status !== 'posted') throw new Error(`${key} was paid before it was written down`);
  return { points_awarded: POINTS, already_rewarded: false };
}

/** A member's points, as every answer shows them. */
export interface ShownPoints {
  readonly point_balance: number;
  readonly held: string;
  readonly available: string;
}

/** A member's points. */
export const pointsOf = async (db: Db, userx_id: number): Promise<ShownPoints> =>
  shown(await balanceByName(db, accountOf(userx_id)));

/** The points of a member who has no others than these. */
export const onlyPoints = ({ points_awarded }: Reward): ShownPoints =>
  shown({ posted: BigInt(points_awarded), ...spendableOf(BigInt(points_awarded), 0n) });

const shown = ({ posted: units, ...spendable }: Spendable & { readonly posted: bigint }) => ({
  point_balance: toWire({ asset: 'POINTS', units }),
  ...shownBalance('POINTS', spendable),
});

/** Whether a member has been paid for it before. */
export const isRewarded = async (
  db: Db,
  { userx_id }: Pick<Member, 'userx_id'>,
  action: Action,
): Promise<boolean> => (await rewardedActions(db, userx_id)).has(action);
