import { type TenantScope, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';

/** The user whose methods a request is about, if within the caller's reach. */
export interface Target {
  readonly user_id: number;
  readonly reach: TenantScope;
}

/**
 * The caller, or a user whom an admin names (contract part 1, Authentication 4). FORBIDDEN for a user who names
 * another, whether or not there is such a user; the query applies an admin's reach.
 */
export function targetOf(caller: UserCaller, user_id = caller.user_id): Target {
  if (user_id !== caller.user_id && caller.role !== 'admin')
    throw fail('FORBIDDEN', 'You can only use your own external log-ins');
  return { user_id, reach: tenantScopeOf(caller) };
}
