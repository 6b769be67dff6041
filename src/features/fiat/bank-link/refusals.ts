import { type AppError, fail } from '#kernel/error.ts';
import { errorEnvelope, statusEnvelope, withFaultsOf } from '#kernel/http/declare/envelope.ts';
import { NOT_CONFIGURED, notConfigured, type Outcome } from '#kernel/provider-call.ts';

/** `{status:'FAILED', message, error?}`; for faults of ours and the provider's, `{error, details}`. */
export const bankEnvelope = withFaultsOf(errorEnvelope, statusEnvelope);

/** Contract part 3, Errors: these three are in Indonesian. */
export const NO_AMOUNT = 'wallet_id dan amount wajib diisi';
export const BAD_WALLET = 'wallet_id tidak valid';
const NO_CONNECTION = 'Koneksi bank tidak ditemukan untuk wallet ini';

export const noConnection = (): AppError => fail('NOT_FOUND', NO_CONNECTION);
export const noWallet = (): AppError => fail('WALLET_NOT_FOUND', 'Wallet not found');

export const unavailable = (): AppError =>
  fail('PROVIDER_UNAVAILABLE', 'The bank link provider does not answer', {
    details: 'Nothing is known of it yet; asking again is safe',
    retryAfter: 5,
  });

/** The provider's answer; throws the caller's error where there is none. */
export function bankLinkAnswerOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.value;
  if (outcome.kind === 'unknown') throw causeOf(outcome.cause);
  throw refusalOf(outcome.code, outcome.message);
}

/** Whether the provider no longer has the connection. */
export const isGone = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refused' && GONE.has(outcome.code);
const GONE: ReadonlySet<string> = new Set(['INVALID_ACCESS_TOKEN', 'ITEM_NOT_FOUND']);

/** The error for an open call. */
export const causeOf = (cause: string): AppError =>
  cause === NOT_CONFIGURED ? notConfigured('The bank link') : unavailable();

/** The error for a refusal: the provider's own code and words, on which callers can act. */
export function refusalOf(code: string, message: string): AppError {
  if (code === NOT_CONFIGURED) return notConfigured('The bank link');
  if (code === LOST_EXCHANGE) return unavailable();
  const text = OURS[code] ?? 'The bank link provider refused';
  return fail('PROVIDER_REJECTED', text, { details: `${code}: ${message}`.slice(0, 300) });
}

/** The exchange's answer was lost, which used the public token up. */
export const LOST_EXCHANGE = 'LOST_EXCHANGE';

const OURS: Readonly<Record<string, string | undefined>> = {
  INVALID_PUBLIC_TOKEN: 'Invalid public_token',
  INVALID_ACCESS_TOKEN: 'Invalid access_token',
  ITEM_NOT_FOUND: 'The bank connection is gone',
  ITEM_LOGIN_REQUIRED: 'The bank wants you to log in again: link the account once more',
  USER_ACTION_REQUIRED: 'The bank wants you to log in again: link the account once more',
  NSF: 'The bank account has insufficient funds',
};
