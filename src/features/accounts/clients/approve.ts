import type { VerificationStatus } from '#features/accounts/verification/verification.ts';
import type { Db } from '#kernel/db/db.ts';
import { emitClient } from './events.ts';
import { setApproved, setVerified } from './store.ts';

/**
 * A company's result decides about its client: an approval makes it ACTIVE, a revoked approval PENDING again. A
 * suspended client stays suspended.
 */
export async function verifyCompany(
  tx: Db,
  client_id: number,
  status: VerificationStatus,
): Promise<void> {
  if (await setVerified(tx, client_id, status)) await emitClient(tx, 'updated', client_id);
}

/**
 * An admin's approval of a user who represents the client. A decision about the company itself, positive or negative,
 * weighs more and stays.
 */
export async function approveClient(tx: Db, client_id: number): Promise<void> {
  if (await setApproved(tx, client_id)) await emitClient(tx, 'updated', client_id);
}
