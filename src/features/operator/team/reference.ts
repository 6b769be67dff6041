import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const KEEP_OR_STOP_WORDS = {
  keep: 'They go on, in the name of the caller',
  stop: 'Keys end for good, endpoints are paused',
};

/** What the reference says of this feature beside its declarations. */
export const TEAM_WORDS: FeatureWords = {
  tags: {
    team: {
      group: 'People',
      text: `The admins of a client are its team. Each has a role: \`owner\`, \`developer\`, \`finance\`, \`support\` or
\`viewer\`. Admins without a role are owners. Each operation names the roles that it is for. A role counts at every door:
for a log-in, for the console, and for an API key, which does no more than its maker may at that moment.`,
    },
  },
  titles: {
    'team.list': 'List the team',
    'team.invite': 'Invite to the team',
    'team.revokeInvitation': 'Take an invitation back',
    'team.accept': 'Join a team',
    'team.setRole': 'Change a role',
    'team.remove': 'Remove from the team',
  },
  descriptions: {
    'team.list':
      'Members are the newest first; invitations are all that can still be accepted, and are the same on every page.',
    'team.invite':
      'The link is bound to the address. An earlier invitation of the same address stops working, so this also sends a link again. No answer shows the link.',
    'team.setRole':
      'Owners cannot change their own role, so a team always has one. All owners get a mail. Approvals of somebody who became owner or finance count a day later, and with a second factor alone; what they had approved before and what still waits needs another approval.',
    'team.remove':
      'Somebody who is removed stays a user of the client, with their own wallets. Their log-ins end. Proposals, orders, invitations and objects that wait for an approval are void. Kept keys and endpoints belong to the caller from then on; a kept key does no more than the role of its maker let it.',
    'team.accept':
      'The page behind the link calls it. The new member logs in with the address of the invitation and the password that they have sent.',
  },
  meanings: {
    invitation_id: 'Of an invitation, as the list of the team has it',
    team_role: 'What an admin may do at their client',
  },
  values: {
    team_role: {
      owner: 'Everything, with the team, settings and approvals',
      developer: 'Webhooks, events, keys and request logs; reads payments and people',
      finance: 'Payments, payouts, refunds, cards and approvals',
      support: 'People, freezes and files; reads payments and request logs',
      viewer: 'Reads payments and people',
    },
    keys: KEEP_OR_STOP_WORDS,
    keys_are: KEEP_OR_STOP_WORDS,
    endpoints: KEEP_OR_STOP_WORDS,
    endpoints_are: KEEP_OR_STOP_WORDS,
    'TeamAcceptance.language': { en: 'English', id: 'Indonesian' },
  },
  places: {
    'TeamAcceptance.token': 'a3f1c09be2d84476a3f1c09be2d84476a3f1c09be2d84476a3f1c09be2d84476',
    'RemovedTeamMember.status': 'paused',
    'RemovedTeamMember.kind': 'email',
    'TeamMember.username': 'Ratna',
    'NewTeamInvitation.email': 'ratna@demo.example',
    'TeamAcceptance.username': 'Ratna',
  },
  origins: [
    [/^team\.(setRole|remove)\.user_id$/, 'team.list'],
    [/^team\.revokeInvitation\.invitation_id$/, 'team.list'],
    [/^team\.accept\.token$/, 'The mail of `POST /team/invitations`'],
  ],
};
