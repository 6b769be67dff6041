import type { Platform } from './platforms.ts';

/** Rewarded actions, by the names that a profile shows. */
export type Action =
  | 'welcome'
  | 'claim_username'
  | 'verify_email'
  | 'sync_contact'
  | 'add_inviter'
  | `social_${Platform}`;
