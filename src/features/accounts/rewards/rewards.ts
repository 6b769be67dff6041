import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { REWARD_EVENTS } from './events.ts';
import { REWARDS_WORDS } from './reference.ts';
import { type RewardsDeps, rewardsRoutes } from './routes.ts';
import { rewardsSchedules } from './schedules.ts';

export { type SocialClaim, socialClaim } from './claim-social.ts';
export { lockMember, phoneOfMember } from './member-store.ts';
export { REWARD } from './points.ts';

/** The rewards app: its members, their points and the proofs that earn them. */
export const createRewards = (deps: RewardsDeps & Pick<Kernel, 'db'>): Feature => ({
  name: 'rewards',
  reference: REWARDS_WORDS,
  routes: rewardsRoutes(deps),
  events: REWARD_EVENTS,
  schedules: rewardsSchedules(deps),
});
