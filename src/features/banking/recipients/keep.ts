import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { canonicalJson } from '#kernel/http/answer/canonical.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { maskedDetails, type ReadDetails, type RecipientDetails } from './details.ts';
import { recipientIdOf } from './shapes.ts';
import type { NewRecipient, PaidRecipient } from './store.ts';

/** Who adds or changes recipients. */
export interface RecipientActor {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

const contextOf = (recipient_id: string): string => `recipient:${recipient_id}`;

/** Details as the table keeps them: sealed, masked, and with the mark by which the same ones are found. */
export function keptDetails(
  vault: Vault,
  recipient_id: string,
  read: ReadDetails,
): Pick<NewRecipient, 'sealed_details' | 'masked' | 'fingerprint'> {
  const { details } = read;
  return {
    sealed_details: vault.seal(JSON.stringify(details), contextOf(recipient_id)),
    masked: maskedDetails(details),
    fingerprint: recipientMarkOf(vault, read),
  };
}

/** The mark of details: the same for the same ones of one kind. */
export const recipientMarkOf = (
  vault: Pick<Vault, 'fingerprint'>,
  { rail: { kind, country }, currency, details }: ReadDetails,
): Buffer => vault.fingerprint(canonicalJson({ kind, country, currency, details }), 'recipient');

/** What a payment is sent to. */
export const openRecipientDetails = (
  { vault }: Pick<Kernel, 'vault'>,
  { sealed_details, recipient_id }: Pick<PaidRecipient, 'sealed_details' | 'recipient_id'>,
): RecipientDetails =>
  JSON.parse(vault.open(sealed_details, contextOf(recipient_id))) as RecipientDetails;

/** A user has one recipient of the same details. */
export const duplicateOf = (other: PaidRecipient | undefined) =>
  fail('DUPLICATE_RECIPIENT', 'There is a recipient with these details', {
    ...(other && { details: { id: recipientIdOf(other) } }),
  });

/** Writes a line of the audit log, without the details. */
export const recordRecipient = (
  tx: Db,
  action: 'ADDED' | 'CHANGED' | 'DELETED',
  row: PaidRecipient,
  { caller, request }: RecipientActor,
): Promise<void> =>
  logActivity(tx, {
    action: `RECIPIENT_${action}`,
    actor: caller,
    subject_user_id: row.user_id,
    details: {
      recipient_id: recipientIdOf(row),
      kind: row.kind,
      name: row.name,
      currency: row.currency,
      ...row.masked,
    },
    request,
  });
