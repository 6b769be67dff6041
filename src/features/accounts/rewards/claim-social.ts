import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { lockMember } from './member-store.ts';
import { type Platform, platformReader } from './platforms.ts';
import { type Reward, reward } from './points.ts';

/** Pays a member for a platform, by its name; a name that no platform has pays nothing. */
export type SocialClaim = (tx: Db, userx_id: number, name: string) => Promise<Reward>;

/** As `POST /xsocial/claim` pays. Throws when REWARDS_PLATFORMS is wrong. */
export function socialClaim({
  config,
  messages,
}: Pick<Kernel, 'config'> & { readonly messages: Messages }): SocialClaim {
  const platformOf = platformReader(config.REWARDS_PLATFORMS);
  return async (tx, userx_id, name) => {
    const platform = platformOf(name);
    if (platform === undefined) return { points_awarded: 0, already_rewarded: false };
    return payForPlatform(tx, messages, userx_id, platform);
  };
}

/** The first time; else it says that it was rewarded before. */
export async function payForPlatform(
  tx: Db,
  messages: Messages,
  userx_id: number,
  platform: Platform,
): Promise<Reward> {
  return reward(tx, messages, await lockMember(tx, userx_id), `social_${platform}`);
}
