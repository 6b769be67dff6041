import { errorEnvelope, withWords } from '#kernel/http/declare/envelope.ts';

/** Contract part 3: the answer to callers without a platform user's token, word for word. */
const NO_USER = 'Unauthorized: user_id missing';

/** The errors of all card endpoints. */
export const cardEnvelope = withWords(
  { TOKEN_MISSING: NO_USER, TOKEN_INVALID: NO_USER },
  errorEnvelope,
);
