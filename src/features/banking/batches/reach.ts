import { type TenantScope, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { objectId } from '#kernel/object-id.ts';
import { batchInScope, type PaymentBatch } from './store.ts';

/** Whose batches a caller edits and submits: the operator's admins do so for their own client only. */
export const ownScopeOf = (caller: UserCaller): TenantScope =>
  caller.operator ? { client_id: caller.client_id } : tenantScopeOf(caller);

/** Throws NOT_FOUND. */
export async function requireBatch(
  db: Db,
  scope: TenantScope,
  batch_id: string,
): Promise<PaymentBatch> {
  const row = await batchInScope(db, scope, objectId('bat', batch_id));
  if (!row) throw fail('NOT_FOUND', 'Batch not found');
  return row;
}
