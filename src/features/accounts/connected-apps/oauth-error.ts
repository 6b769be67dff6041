import { type AppError, fail } from '#kernel/error.ts';
import { type Envelope, errorEnvelope } from '#kernel/http/declare/envelope.ts';

/** Words of OAuth for a refusal (RFC 6749, 7591). */
type OAuthWord =
  | ('invalid_grant' | 'invalid_client' | 'invalid_target' | 'unsupported_grant_type')
  | ('invalid_request' | 'invalid_redirect_uri' | 'invalid_client_metadata');

/** A refusal that programs of others understand: `error` is the word, `error_description` the sentence. */
export const oauthRefusal = (error: OAuthWord, message: string): AppError =>
  fail('VALIDATION_ERROR', message, { extra: { error } });

const wordOf = ({ status }: AppError): string => {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
};

/** As OAuth has failures, with our code, hint and page beside. */
export const oauthEnvelope: Envelope = {
  ...errorEnvelope,
  error: (error, facts) => {
    const { error: _, ...rest } = errorEnvelope.error(error, facts) as { error: unknown };
    const word = error.extra['error'] ?? wordOf(error);
    return { ...rest, error: word, error_description: error.message };
  },
};
