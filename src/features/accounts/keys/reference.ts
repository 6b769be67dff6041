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
    'keys.limit':
      'Takes effect at once, on every process. A call from another address is 403 `IP_NOT_ALLOWED` before anything else is looked at, and uses up nothing of the key’s limits. A key that is limited itself changes no key to wider limits than its own.',
  },
  origins: [[/^keys\.\w+\.api_key$/, 'keys.create']],
  places: { 'ApiKey.last_ip': '203.0.113.7' },
  answers: [[/^(deleted|replaced)_key$/, KEY]],
  meanings: {
    expires_in: 'Seconds after which it ends; instead of `expires_at`',
  },
};
