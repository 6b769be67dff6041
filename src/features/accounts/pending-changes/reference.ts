import { OF_MAIL } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const PENDING_CHANGES_WORDS: FeatureWords = {
  titles: {
    'users.listChanges': 'List pending changes',
    'desk.orders': 'List ordered changes of accounts',
  },
  descriptions: {
    'users.listChanges':
      'Users see their own changes; admins see those of the people of their client. A change counts once the user has confirmed it by the link of the mail, and lapses after 24 hours.',
    'desk.orders':
      'Only an admin of the operator may call it. `DELETE /users/{user_id}/pending-changes/{change_id}` stops one of them.',
  },
  places: {
    'desk.orders.kind': 'email',
    'PendingChangeProposed.kind': 'email',
    'PendingChangeProposed.subject': 'ada@example.com',
    'users.confirmChange.token': OF_MAIL,
  },
  origins: [[/^users\.cancelChange\.change_id$/, 'users.listChanges']],
  meanings: {
    decision: 'What the person says to the change',
  },
};
