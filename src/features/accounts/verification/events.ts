import { type Static, Type } from 'typebox';
import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, oneOfWords } from '#kernel/http/declare/schema.ts';

/** The decision and its source; never its evidence. */
const Verification = named('VerificationEventData', {
  user_id: Id,
  kind: oneOfWords(['KYC', 'KYB']),
  status: oneOfWords(['PENDING', 'APPROVED', 'REJECTED']),
  source: Type.String(),
});

const verification = defineEvents(
  'verification',
  {
    schema: Verification,
    example: { user_id: 3, kind: 'KYC', status: 'APPROVED', source: 'webhook' },
    since: '2026-11',
  },
  {
    pending: 'A user’s verification has begun',
    approved: 'A user was verified',
    rejected: 'A user’s verification has failed',
  },
);

export const VERIFICATION_EVENTS = Object.values(verification);

const TYPES = {
  PENDING: verification.pending,
  APPROVED: verification.approved,
  REJECTED: verification.rejected,
};

/** In the transaction that changes it; the id is user and kind: `3:KYC`. */
export async function emitVerification(
  tx: Db,
  data: Static<typeof Verification>,
  of?: number,
): Promise<void> {
  const { user_id, kind, status } = data;
  const client_id = of ?? (await clientOfUser(tx, user_id));
  emit(tx, TYPES[status], { client_id, user_id, id: `${user_id}:${kind}`, data });
}
