import { AppError, fail, wrongField } from '#kernel/error.ts';
import { NOT_CONFIGURED, notConfigured } from '#kernel/provider-call.ts';

/** Decisions of a card's issuer; another try with the same card gets the same. */
const DECLINES: Readonly<Record<string, string>> = {
  DECLINED: 'The card was declined',
  INSUFFICIENT_FUNDS: 'The card has insufficient funds',
  INVALID_CARD: 'The card number is not valid',
  EXPIRED_CARD: 'The card has expired',
  INVALID_AMOUNT: 'The amount is not allowed for this card',
};

/** Whether the card's issuer has declined it. */
export const isDecline = (failure: string): boolean => Object.hasOwn(DECLINES, failure);

/** The network has no trace of it, long after it should have come in. */
export const NOT_SEEN = 'NOT_SEEN';

/** Whether it failed for a reason outside of the request, so that the caller may try again. */
export const isRetryable = (failure: string): boolean =>
  !isDecline(failure) && failure !== 'ALREADY_REVERSED' && failure !== 'ORIGINAL_NOT_FOUND';

/** Contract part 3, card checkout: 400 for refusals of the card or its issuer. */
export function refusal(failure: string): AppError {
  const declined = DECLINES[failure];
  if (declined !== undefined)
    return fail('CARD_DECLINED', declined, { details: { reason: failure } });
  // Our refund claims its original first, so the network has reversed the original another way.
  if (failure === 'ALREADY_REVERSED') return alreadyReturned();
  if (failure === 'ORIGINAL_NOT_FOUND') return originalNotFound();
  if (failure === NOT_CONFIGURED) return networkNotConfigured();
  return fail('PROVIDER_UNAVAILABLE', 'The card network did not take the transaction', {
    retryAfter: 30,
  });
}

const networkNotConfigured = (): AppError => notConfigured('The card network');

/** Whether money has moved is unknown yet; a job finds out and books it either way. */
export const outcomeUnknown = (reference_id: string): AppError =>
  fail('PROVIDER_UNAVAILABLE', 'The card network has not confirmed the transaction yet', {
    details: { reference_id, status: 'PENDING' },
    retryAfter: 30,
  });

export const alreadyRefunded = (): AppError =>
  fail('ALREADY_REFUNDED', 'Original transaction was already refunded');

/** Another way back has taken all or a part of it. */
export const alreadyReturned = (): AppError =>
  fail('ALREADY_RETURNED', 'The card network has taken back what this would give back');

/** Refusals that show a fact about a card number which the caller need not have known. */
const cardMismatches = new WeakSet<AppError>();

/** Another card than that of the checkout; for a caller who tries out numbers it equals a decline. */
export function cardMismatch(): AppError {
  const error = wrongField('card_number', 'is not the card of the original');
  cardMismatches.add(error);
  return error;
}

/** Whether the caller learns that a tried card is not valid. */
export const countsAsDecline = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'CARD_DECLINED' || cardMismatches.has(error));

export const originalNotFound = (): AppError =>
  fail('ORIGINAL_NOT_FOUND', 'Original transaction not found');
