import { KEY } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const KEYS_WORDS: FeatureWords = {
  tags: {
    keys: {
      group: 'Start',
      text: 'API keys: what an application says who it is with. The first one is free and made at once.',
    },
  },
  descriptions: {
    'keys.generate':
      'Anybody may call it, up to 5 times an hour from one address. The key names an application and no user: it opens log-ins and public data, and everything else needs a log-in token beside it. The answer shows the key once.',
    'keys.create':
      'A logged-in user calls it; no API key is needed. The key belongs to the caller and serves the users of the caller’s client. The answer shows it once; `api_key.created` follows, and `api_key.expiring` before it ends.',
    'keys.list':
      'A user sees the own keys, with their first and last characters only, how often each was used and when it ends.',
  },
  origins: [[/^keys\.\w+\.api_key$/, 'keys.create']],
  answers: [[/^(deleted|replaced)_key$/, KEY]],
  meanings: {
    expires_in: 'Seconds after which it ends; instead of `expires_at`',
  },
};
