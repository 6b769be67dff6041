import type { Feature } from '#kernel/feature.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import { askAgainJob, asksAgain } from './ask-again.ts';
import type { RecipientDeps } from './change.ts';
import { RECIPIENT_EVENTS } from './events.ts';
import { RECIPIENTS_PERSON_DATA } from './person-data.ts';
import { RECIPIENTS_WORDS } from './reference.ts';
import { recipientRoutes } from './routes.ts';

export { recipientSeen } from './as-policies-see.ts';
export {
  type DetailDeps,
  maskedDetails,
  type ReadDetails,
  type RecipientDetails,
  readRecipientDetails,
} from './details.ts';
export { openRecipientDetails, recipientMarkOf } from './keep.ts';
export { RECIPIENT_KINDS, type RecipientKind } from './requirements.ts';
export { recipientIdOf } from './shapes.ts';
export {
  findRecipient,
  findRecipients,
  type KnownRecipient,
  lockRecipient,
  markRecipientPaid,
  type PaidRecipient,
  type RecipientFacts,
  recipientFacts,
  recipientsByMark,
} from './store.ts';
export { type VerifyDeps, verifyPayeeOf } from './verify-payee.ts';

/** Sealed details of recipients. */
export const SEALED_RECIPIENTS: SealedKind = {
  what: 'details of recipients',
  text: `select sealed_details as sealed, 'recipient:' || recipient_id as context, null::bytea as mark
    from recipients where sealed_details not like 'erased-%'`,
};

/** Whom users pay: bank accounts, wallets and addresses. */
export function createRecipients(deps: RecipientDeps): Feature {
  const job = askAgainJob(deps);
  return {
    name: 'recipients',
    personData: RECIPIENTS_PERSON_DATA,
    reference: RECIPIENTS_WORDS,
    routes: recipientRoutes({ ...deps, askAgain: asksAgain(deps, job) }),
    events: RECIPIENT_EVENTS,
    jobs: [job],
  };
}
