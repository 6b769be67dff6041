import type { FeatureWords, ReferenceTag } from '#kernel/openapi/vocabulary.ts';

/** Parts of the reference, in the order in which a newcomer meets them. */
const GROUPS = [
  'Start',
  'People',
  'Verification',
  'Payments',
  'Fiat',
  'Cards',
  'Crypto',
  'Ramps',
  'Purchases',
  'Rewards',
  'Events',
  'Operations',
];

/** Several features take callbacks. */
const CALLBACKS: ReferenceTag = {
  group: 'Operations',
  title: 'Call-backs of providers',
  text: 'What providers call, and no application: here for operators, who tell providers these addresses.',
};

/** Chapters of the reference: those of the features, in their order within a group. */
export function tagsOf(features: readonly FeatureWords[]) {
  const all = [
    ['callbacks', CALLBACKS] as const,
    ...features.flatMap(({ tags = {} }) => Object.entries(tags)),
  ];
  const lost = all.find(([, { group }]) => !GROUPS.includes(group));
  if (lost) throw new Error(`${lost[0]} is in no group of the reference`);
  const groups = GROUPS.map((name) => ({
    name,
    tags: all.filter(([, { group }]) => group === name).map(([tag]) => tag),
  }));
  const known = new Map(all);
  const tags = groups.flatMap((group) =>
    group.tags.map((name) => ({
      name,
      'x-displayName': known.get(name)?.title ?? inWords(name),
      description: known.get(name)?.text ?? '',
    })),
  );
  return { tags, groups };
}

/** `fiatWallets` as Fiat wallets. */
const inWords = (name: string): string =>
  name
    .replace(/^./, (c) => c.toUpperCase())
    .replace(/[A-Z]/g, (c, at) => (at ? ` ${c.toLowerCase()}` : c));
