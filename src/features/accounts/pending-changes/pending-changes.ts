import type { Feature } from '#kernel/feature.ts';
import { PENDING_CHANGE_EVENTS } from './events.ts';
import { PENDING_CHANGES_PERSON_DATA } from './person-data.ts';
import {
  type PendingChangeDeps,
  pendingChangePages,
  pendingChangeRoutes,
  pendingChangeSchedules,
} from './routes.ts';

export {
  type Applier,
  type Appliers,
  type ChangeFacts,
  createProposals,
  PendingChangeReply,
  type PendingChanges,
} from './propose.ts';

import { PENDING_CHANGES_WORDS } from './reference.ts';

export { voidChangesOf } from './revoke.ts';
export type { ChangeKind, PendingChange } from './store.ts';

/** Changes that an admin requests in a user's name, and that need the user's consent. */
export const createPendingChanges = (deps: PendingChangeDeps): Feature => ({
  name: 'pending-changes',
  personData: PENDING_CHANGES_PERSON_DATA,
  reference: PENDING_CHANGES_WORDS,
  routes: pendingChangeRoutes(deps),
  pages: pendingChangePages(deps),
  schedules: pendingChangeSchedules(deps),
  events: PENDING_CHANGE_EVENTS,
});
