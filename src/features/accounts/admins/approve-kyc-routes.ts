import { Type } from 'typebox';
import { type AccountDeps, approveClient } from '#features/accounts/clients/clients.ts';
import { PSP_A, PSP_A_COUNTRY } from '#features/accounts/psp-customers/psp-customers.ts';
import { activate, findUser } from '#features/accounts/users/users.ts';
import { recordVerification } from '#features/accounts/verification/verification.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { lockUserInScope, type TenantScope, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Id, IdInput } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { requireVoucher } from './may-approve.ts';

type ApproveDeps = AccountDeps & Pick<Kernel, 'clock' | 'config' | 'credentials'>;

const endpoint = endpoints(errorEnvelope);

const Approved = Type.Object({
  message: Type.String(),
  user: Type.Object({
    user_id: Id,
    username: Type.String(),
    email: Type.String(),
    ekyc_status: Type.String(),
    user_status: Type.String(),
  }),
  psp_a_info: Type.Optional(
    Type.Object({
      country_code: Type.String(),
      psp_provider: Type.String(),
      kyc_approved_in_platform: Type.Boolean(),
    }),
  ),
});

/** An admin approves a user's identity. */
export const approveKyc = ({ clock, config, credentials, pspCustomers }: ApproveDeps): Route =>
  endpoint('POST /admins/approve-kyc/{user_id}', {
    name: 'admins.approveKyc',
    team: 'people:approve',
    auth: 'admin',
    proof: true,
    errors: ['USER_NOT_FOUND', 'SECOND_PERSON_REQUIRED', 'CLIENT_NOT_APPROVED'],
    summary: 'Approves a pending verification and makes the user active',
    params: Type.Object({ user_id: IdInput }),
    reply: { 200: Approved },
    atomic: true,
    fault: 'Failed to approve KYC',
    async handler({ caller, params, request, db }) {
      const user = await approvable(db, tenantScopeOf(caller), params.user_id);
      const { user_id, client_id, username, email, country_code } = user;
      const previous = user.ekyc_status;
      const isNew = previous !== 'APPROVED';
      if (isNew) {
        await requireVoucher({ config }, db, caller, user_id);
        await approve(db, user, clock.now());
        await pspCustomers.syncKyc(db, user_id, 'APPROVED');
        await logActivity(db, {
          action: 'ADMIN_APPROVE_KYC',
          actor: caller,
          client_id,
          subject_user_id: user_id,
          details: { previous },
          request,
        });
        credentials.forget('user', user_id);
      }
      const isKept = !isNew || user.user_status === 'INACTIVE';
      const user_status = isKept ? user.user_status : 'ACTIVE';
      const customer = await pspCustomers.ofUser(db, user_id);
      const indonesian = country_code === PSP_A_COUNTRY || customer !== undefined;
      return {
        message: 'KYC approved successfully',
        user: { user_id, username, email, ekyc_status: 'APPROVED', user_status },
        ...(indonesian && {
          psp_a_info: {
            country_code: PSP_A_COUNTRY,
            psp_provider: PSP_A,
            kyc_approved_in_platform: true,
          },
        }),
      };
    },
  });

type User = NonNullable<Awaited<ReturnType<typeof findUser>>>;

/** The user, locked. An admin cannot undo a rejection (contract: States). */
async function approvable(tx: Db, reach: TenantScope, user_id: number): Promise<User> {
  await lockUserInScope(tx, reach, user_id);
  const user = await findUser(tx, reach, user_id);
  if (!user || user.ekyc_status === 'REJECTED')
    throw fail('USER_NOT_FOUND', 'User not found or cannot be approved');
  return user;
}

/** Makes the user verified and, unless suspended, active, and also the client of one of its admins. */
async function approve(tx: Db, { user_id, client_id, role }: User, at: Date): Promise<void> {
  const by = { provider: 'ADMIN', source: 'ADMIN_APPROVE_KYC', at };
  const verified_at = at.toISOString();
  await recordVerification(tx, { user_id, status: 'APPROVED', verified_at, ...by });
  await activate(tx, user_id);
  if (role === 'admin') await approveClient(tx, client_id);
}
