import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const CONSOLE_WORDS: FeatureWords = {
  tags: {
    console: {
      group: 'Operations',
      text: 'How the operator’s people log in to the console: asked by its own page, and answered by a cookie.',
    },
  },
  places: {
    'console.me.version': '1.0.0',
  },
  origins: [
    [
      /^console\.\w+$/,
      'A browser at `/console`: its page sends its cookie and says where it asks from',
    ],
  ],
};
