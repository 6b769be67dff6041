import type { PolicyOperation } from '#kernel/policies/operation.ts';
import { recipientIdOf } from './shapes.ts';
import type { PaidRecipient } from './store.ts';

const HOUR_MS = 3_600_000;

/** A recipient as policies see it. */
export function recipientSeen(
  recipient: PaidRecipient,
  now: Date,
): NonNullable<PolicyOperation['recipient']> {
  const { kind, country, changed_at, result, last_paid_at } = recipient;
  return {
    id: recipientIdOf(recipient),
    kind,
    age_h: (now.getTime() - new Date(changed_at).getTime()) / HOUR_MS,
    is_new: last_paid_at === null,
    ...(country !== null && { country }),
    ...(result !== null && { verification: result }),
  };
}
