import type { Feature } from '#kernel/feature.ts';
import { PENDING_CHANGE_EVENTS } from './events.ts';
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

/** What was asked for in another user's name waits here for that user's word. */
export const createPendingChanges = (deps: PendingChangeDeps): Feature => ({
  name: 'pending-changes',
  reference: PENDING_CHANGES_WORDS,
  routes: pendingChangeRoutes(deps),
  pages: pendingChangePages(deps),
  schedules: pendingChangeSchedules(deps),
  events: PENDING_CHANGE_EVENTS,
});
