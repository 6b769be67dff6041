import { type TenantScope, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';

/** Whose methods a request is about, if the caller reaches them. */
export interface Target {
  readonly user_id: number;
  readonly reach: TenantScope;
}

/**
 * Oneself, or whom an admin names (contract part 1, Authentication 4). Naming another is FORBIDDEN to
 * a user, whether or not there is such a user; an admin's reach is for the query to apply.
 */
export function targetOf(caller: UserCaller, user_id = caller.user_id): Target {
  if (user_id !== caller.user_id && caller.role !== 'admin')
    throw fail('FORBIDDEN', 'You can only use your own external log-ins');
  return { user_id, reach: tenantScopeOf(caller) };
}
