import { AppError, fail, wrongField } from '#kernel/error.ts';
import { NOT_CONFIGURED, notConfigured } from '#kernel/provider-call.ts';

/** What the issuer of a card decided; another try with the same card is told the same. */
const DECLINES: Readonly<Record<string, string>> = {
  DECLINED: 'The card was declined',
  INSUFFICIENT_FUNDS: 'The card has insufficient funds',
  INVALID_CARD: 'The card number is not valid',
  EXPIRED_CARD: 'The card has expired',
  INVALID_AMOUNT: 'The amount is not allowed for this card',
};

/** Whether it came to nothing by the word of the card's issuer. */
export const isDecline = (failure: string): boolean => Object.hasOwn(DECLINES, failure);

/** The network has no trace of it, long after it should have come in. */
export const NOT_SEEN = 'NOT_SEEN';

/** Whether it came to nothing for a reason that is not the caller's, so that it may be tried anew. */
export const isRetryable = (failure: string): boolean =>
  !isDecline(failure) && failure !== 'ALREADY_REVERSED' && failure !== 'ORIGINAL_NOT_FOUND';

/** Contract part 3, card checkout: 400 for what the card or its issuer refuses. */
export function refusal(failure: string): AppError {
  const declined = DECLINES[failure];
  if (declined !== undefined)
    return fail('CARD_DECLINED', declined, { details: { reason: failure } });
  // A refund of ours claims its original first, so another way back has reversed it at the network.
  if (failure === 'ALREADY_REVERSED') return alreadyReturned();
  if (failure === 'ORIGINAL_NOT_FOUND') return originalNotFound();
  if (failure === NOT_CONFIGURED) return networkNotConfigured();
  return fail('PROVIDER_UNAVAILABLE', 'The card network did not take the transaction', {
    retryAfter: 30,
  });
}

const networkNotConfigured = (): AppError => notConfigured('The card network');

/** Nobody knows yet whether money has moved; it is found out and booked either way. */
export const outcomeUnknown = (reference_id: string): AppError =>
  fail('PROVIDER_UNAVAILABLE', 'The card network has not confirmed the transaction yet', {
    details: { reference_id, status: 'PENDING' },
    retryAfter: 30,
  });

export const alreadyRefunded = (): AppError =>
  fail('ALREADY_REFUNDED', 'Original transaction was already refunded');

/** Another way back has taken it, or a part of it. */
export const alreadyReturned = (): AppError =>
  fail('ALREADY_RETURNED', 'The card network has taken back what this would give back');

/** Refusals that tell something of a card number which the caller need not have known. */
const cardMismatches = new WeakSet<AppError>();

/** Another card than that of the checkout; to whoever tries out numbers it is as good as a decline. */
export function cardMismatch(): AppError {
  const error = wrongField('card_number', 'is not the card of the original');
  cardMismatches.add(error);
  return error;
}

/** Whether a card was tried and is none, for all that the caller learns. */
export const countsAsDecline = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'CARD_DECLINED' || cardMismatches.has(error));

export const originalNotFound = (): AppError =>
  fail('ORIGINAL_NOT_FOUND', 'Original transaction not found');
