import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const INSTANCES_WORDS: FeatureWords = {
  tags: {
    instances: {
      group: 'People',
      text: 'The shops, apps or branches into which a client divides its business.',
    },
  },
  descriptions: {
    'instances.list': 'An admin sees the shops, apps or branches of the own client.',
    'instances.create':
      'An admin creates it for the own client. A name that the client uses already is 409 `CONFLICT`. `instance.created` follows.',
  },
  origins: [[/^instances\.\w+\.instance_id$/, 'instances.create']],
  meanings: {
    alias: 'What it is called from now on',
    instance_name: 'What the shop, app or branch is called',
  },
};
