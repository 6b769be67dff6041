import { LOGIN_TOKEN } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const MEMBER = 'The token of `POST /xusers/login` instead of a user’s';
/** What the reference says of this feature beside its declarations. */
export const REWARDS_WORDS: FeatureWords = {
  tags: {
    rewards: {
      group: 'Rewards',
      text: 'The rewards app: members by phone number, and what they get points for.',
    },
  },
  titles: {
    'rewards.logIn': 'Log in to the rewards app',
    'rewards.deleteAccount': 'Delete a member’s account',
    'rewards.getProfile': 'Get a member’s profile',
    'rewards.listInvited': 'List invited members',
    'rewards.verifyEmail': 'Send a code to an e-mail address',
    'rewards.confirmEmail': 'Confirm an e-mail address by its code',
    'rewards.claimUsername': 'Claim a username',
    'rewards.syncContacts': 'Synchronise contacts',
    'rewards.claimSocial': 'Claim points of a social platform',
    'rewards.addInviter': 'Add an inviter',
    'rewards.requestCode': 'Request a one-time code',
    'rewards.verifyCode': 'Verify a one-time code',
    'rewards.countWaiting': 'Count the waiting list',
  },
  descriptions: {
    'rewards.logIn':
      'The rewards app calls it with its API key. A new number becomes a member with 50 welcome points (`member.joined`, `reward.granted`). Where `REWARDS_LOGIN_CODE` is `required`, as in production, `POST /xotp/verify` has to have proven the number for the purpose `login` before.',
    'rewards.requestCode':
      'The rewards app calls it with its API key. `POST /xotp/verify` takes the code once. Limits hold for each number, each network and each day.',
    'rewards.countWaiting':
      'Any API key may call it. The number includes those who waited before the app existed.',
  },
  places: {
    'rewards.logIn.token': LOGIN_TOKEN,
    'rewards.claimSocial.platform': 'instagram',
  },
  origins: [
    [/^rewards\.verifyCode\.otp_code$/, 'the message of `POST /xotp/request`'],
    [/^rewards\.(?!logIn|requestCode|countWaiting)\w+$/, MEMBER],
  ],
  meanings: {
    points_awarded: 'Points of the rewards app',
    contacts: 'The people in the phone’s address book',
    contact_name: 'What the person is called there',
    contact_phone: 'The person’s number there',
    platform: 'Which social platform',
  },
};
