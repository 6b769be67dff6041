import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { IdInput, MessageField, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { carryOutAll, type DecideDeps, decideByLink } from './decide.ts';
import { emitChange } from './events.ts';
import { ordersRoute } from './orders-routes.ts';
import { CONFIRM_PAGE, PendingChangeReply } from './propose.ts';
import {
  findByLink,
  forgetLapsed,
  listChanges,
  listPendingChangeDue,
  takeWithdrawn,
} from './store.ts';
import { CHANGE_TEXTS } from './texts.ts';
import { explain } from './words.ts';

export type PendingChangeDeps = DecideDeps & Pick<Kernel, 'db'>;

const endpoint = endpoints(errorEnvelope);
const DUE_MAX = 200;
const DAY_MS = 24 * 3600_000;

/** Changes that wait for a user's consent: list, cancel, decide. */
export const pendingChangeRoutes = (deps: PendingChangeDeps): Route[] => [
  endpoint('POST /users/confirm-change', {
    name: 'users.confirmChange',
    auth: 'public',
    errors: ['EMAIL_IN_USE', 'MAPPING_EXISTS', 'INVALID_TOKEN'],
    summary:
      'Allows or refuses a pending change, with the token of the mailed link, which works once',
    body: Type.Object({ token: text(200), decision: oneOfWords(['confirm', 'refuse'] as const) }),
    invalid: 'A token and a decision, confirm or refuse, are required',
    reply: { 200: MessageField },
    fault: 'Failed to carry out the change',
    async handler({ body: { token, decision }, request, db }) {
      const confirmed = decision === 'confirm';
      await decideByLink(deps, db, { token, confirmed }, request);
      return { message: confirmed ? 'The change was made.' : 'Nothing was changed.' };
    },
  }),

  endpoint('GET /users/{user_id}/pending-changes', {
    name: 'users.listChanges',
    auth: 'user',
    errors: ['USER_NOT_FOUND'],
    summary: 'Pending changes that others have requested in a user’s name, oldest first',
    params: Type.Object({ user_id: IdInput }),
    reply: { 200: Type.Object({ pending_changes: Type.Array(PendingChangeReply) }) },
    fault: 'Failed to list pending changes',
    async handler({ caller, params, db }) {
      const { user_id } = await requireUser(db, tenantScopeOf(caller), params.user_id);
      return { pending_changes: await listChanges(db, user_id, deps.clock.now()) };
    },
  }),

  withdrawRoute(deps),
  ordersRoute(),
];

const withdrawRoute = ({ clock }: PendingChangeDeps): Route =>
  endpoint('DELETE /users/{user_id}/pending-changes/{change_id}', {
    name: 'users.cancelChange',
    auth: 'user',
    console: true,
    errors: ['NOT_FOUND', 'USER_NOT_FOUND'],
    summary: 'Cancels a pending change; an operator’s only by the user or an operator',
    params: Type.Object({ user_id: IdInput, change_id: IdInput }),
    reply: { 200: MessageField },
    atomic: true,
    fault: 'Failed to call off the change',
    async handler({ caller, params: { user_id, change_id }, request, db }) {
      const gone = await takeWithdrawn(db, {
        user_id,
        change_id,
        now: clock.now(),
        reach: tenantScopeOf(caller),
        // A user who is logged in has not lost the second factor.
        orders: caller.operator || caller.user_id === user_id,
      });
      if (!gone) throw fail('NOT_FOUND', 'Change not found');
      await logActivity(db, {
        action: 'CHANGE_WITHDRAWN',
        actor: caller,
        client_id: gone.client_id,
        subject_user_id: user_id,
        details: { change_id, kind: gone.kind, subject: gone.subject },
        request,
      });
      emitChange(db, 'withdrawn', gone, gone.client_id);
      return { message: 'The change was called off' };
    },
  });

/** The page of the mailed link: to look at it changes nothing. */
export const pendingChangePages = ({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Page[] => [
  {
    path: CONFIRM_PAGE,
    async render({ token = '' }, language) {
      const { page: texts } = CHANGE_TEXTS[language];
      const change = await findByLink(db, digestOf(token), clock.now());
      if (!change) return page(400, texts.gone[0], `<p>${texts.gone[1]}</p>`, { language });
      const { lines } = explain(change)[language];
      const [yes, no] = change.takes_effect_at === null ? texts.proposed : texts.ordered;
      return page(
        200,
        texts.title,
        `${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<form data-json action="${API_PREFIX}/users/confirm-change" method="post">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button class="second" name="decision" value="refuse">${no}</button>
<button name="decision" value="confirm">${yes}</button>
<p role="status"></p>
</form>`,
        { language },
      );
    },
  },
];

/** Applies orders that are due, and deletes lapsed changes. */
export const pendingChangeSchedules = (deps: PendingChangeDeps): Schedule[] => [
  defineSchedule({
    name: 'pending-changes.carry-out',
    cron: '* * * * *',
    async run() {
      const now = deps.clock.now();
      const due = await listPendingChangeDue(deps.db, now, DUE_MAX);
      const faults = await carryOutAll(deps, due);
      await forgetLapsed(deps.db, new Date(now.getTime() - DAY_MS));
      if (faults.length > 0) throw new AggregateError(faults, 'Orders could not be carried out');
    },
  }),
];
