import { isApproved } from '#kernel/access/requester.ts';
import type { Config } from '#kernel/config/config.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';

export type VouchDeps = { readonly config: Pick<Config, 'MOCK_MODE'> };

/**
 * Whether an admin's decision about a user's verification counts. Out of mock mode only admins of the operator
 * decide, and those of ACTIVE clients: anybody may register another client.
 */
export async function mayVouch(
  { config }: VouchDeps,
  db: Db,
  { operator, client_id, user_id }: UserCaller,
): Promise<boolean> {
  return config.MOCK_MODE || operator || isApproved(db, { client_id, user_id });
}

/**
 * Throws SECOND_PERSON_REQUIRED for oneself, and CLIENT_NOT_APPROVED where the admin's client is not approved yet.
 */
export async function requireVoucher(
  deps: VouchDeps,
  db: Db,
  caller: UserCaller,
  user_id: number,
): Promise<void> {
  if (deps.config.MOCK_MODE) return;
  if (caller.user_id === user_id)
    throw fail('SECOND_PERSON_REQUIRED', 'Admins cannot approve their own verification', {
      hint: 'Verify yourself by POST /ekyc/idv/token, or ask another admin or the operator.',
    });
  if (!(await mayVouch(deps, db, caller)))
    throw fail(
      'CLIENT_NOT_APPROVED',
      'The client is not approved yet, so its admins cannot approve users',
    );
}
