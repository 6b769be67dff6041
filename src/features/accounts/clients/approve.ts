import type { VerificationStatus } from '#features/accounts/verification/verification.ts';
import type { Db } from '#kernel/db/db.ts';
import { emitClient } from './events.ts';
import { setApproved, setVerified } from './store.ts';

/**
 * A company's result is its client's: approval makes it ACTIVE, and an approval that is taken back
 * makes it PENDING again. One that the operator has stopped stays so.
 */
export async function verifyCompany(
  tx: Db,
  client_id: number,
  status: VerificationStatus,
): Promise<void> {
  if (await setVerified(tx, client_id, status)) await emitClient(tx, 'updated', client_id);
}

/**
 * An admin's approval of one who speaks for the client. What was decided about the company itself, for
 * or against it, weighs more and stays.
 */
export async function approveClient(tx: Db, client_id: number): Promise<void> {
  if (await setApproved(tx, client_id)) await emitClient(tx, 'updated', client_id);
}
