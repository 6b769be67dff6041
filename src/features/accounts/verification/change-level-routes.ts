import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { tenantScopeOf, userInScope } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { IdInput, Success, Timestamp, text } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Outcome } from '#kernel/provider-call.ts';
import { transact } from '#kernel/transact.ts';
import { type Applicant, type IdentityProvider, LEVELS } from '#providers/identity/port.ts';
import { refusedAs, requireAnswer } from './provider-answers.ts';
import { noteApplicant } from './store.ts';

export type LevelDeps = Pick<Kernel, 'log'> & { readonly identity: IdentityProvider };

const endpoint = endpoints(errorEnvelope);
const FAULT = 'Failed to change the level';

/** Contract: changeLevel. The present result stays until the provider has a new one. */
export const changeLevelRoute = ({ identity, log }: LevelDeps): Route =>
  endpoint('POST /ekyc/idv/changeLevel', {
    name: 'verification.changeLevel',
    team: 'people:approve',
    auth: 'admin',
    proof: true,
    errors: ['USER_NOT_FOUND', 'APPLICANT_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: "Moves a user's verification to another level, where it starts over",
    body: Type.Object({ user_id: IdInput, levelName: text(100) }),
    reply: {
      200: Type.Object({
        success: Success,
        data: Type.Object({
          applicantId: Type.String(),
          levelName: Type.String(),
          createdAt: Timestamp,
        }),
      }),
    },
    fault: FAULT,
    async handler({ caller, body, request, db }) {
      const { user_id, levelName } = body;
      const user = await userInScope(db, tenantScopeOf(caller), user_id);
      if (!user) throw fail('APPLICANT_NOT_FOUND', 'Applicant not found');
      const settle = <T>(outcome: Outcome<T>): T => {
        if (refusedAs(outcome, 'APPLICANT_NOT_FOUND'))
          throw fail('APPLICANT_NOT_FOUND', 'Applicant not found');
        return requireAnswer(outcome, log, FAULT);
      };
      const applicant = settle(await findApplicant(identity, user_id, levelName));
      const moved = settle(await identity.moveToLevel(applicant.applicantId, levelName));
      await transact(db, async (tx) => {
        await noteApplicant(tx, user_id, moved.type, moved);
        await logActivity(tx, {
          action: 'ADMIN_CHANGE_LEVEL',
          actor: caller,
          client_id: user.client_id,
          subject_user_id: user_id,
          details: { from: applicant.levelName, to: moved.levelName },
          request,
        });
      });
      const { applicantId, createdAt } = moved;
      return { success: true, data: { applicantId, levelName: moved.levelName, createdAt } };
    },
  });

/** The applicant of the level's own kind; a person's may be moved to the company level, too. */
async function findApplicant(
  identity: IdentityProvider,
  user_id: number,
  levelName: string,
): Promise<Outcome<Applicant>> {
  const [first, second] =
    levelName === LEVELS.KYB ? (['KYB', 'KYC'] as const) : (['KYC', 'KYB'] as const);
  const own = await identity.findApplicant(String(user_id), first);
  return refusedAs(own, 'APPLICANT_NOT_FOUND')
    ? identity.findApplicant(String(user_id), second)
    : own;
}
