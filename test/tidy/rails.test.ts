import { expect, test } from 'vitest';
import { shipped, sources } from './sources.ts';

/** A rail describes itself. What it costs outside its own folders is counted here: the numbers may only fall. */

interface Footprint {
  readonly name: RegExp;
  readonly folders: RegExp;
  /** Files that name it: of src/app, of the rest of the product, and of tests, chaos, bench and demo. */
  readonly most: readonly [app: number, product: number, others: number];
}

const RAILS: Readonly<Record<string, Footprint>> = {
  xrpl: { name: /xrpl/i, folders: /\/xrpl\//, most: [3, 10, 48] },
  cardano: { name: /cardano/i, folders: /\/cardano\//, most: [3, 9, 54] },
  cctp: { name: /cctp/i, folders: /\/cctp\//, most: [2, 8, 12] },
  idrx: { name: /idrx/i, folders: /\/idrx\//, most: [1, 4, 6] },
  plaid: { name: /plaid/i, folders: /\/(plaid|bank-link)\//, most: [1, 1, 12] },
  'psp-a': { name: /psp[-_]?a\b/i, folders: /\/(psp-a|psp-customers)\//, most: [2, 8, 5] },
  'idr-token': { name: /idr[-_]?tokens?\b/i, folders: /\/idr-token\//, most: [4, 14, 61] },
  marketplace: { name: /marketplace/i, folders: /\/(marketplace|catalogue)\//, most: [3, 16, 45] },
};

/** These name every table of the database, as the generated schema does. */
const NAMING_ALL = ['src/app/tenancy.ts', 'src/app/global-rules.ts', 'test/tidy/rails.test.ts'];

const shippedPaths = new Set(shipped.map(({ path }) => path));

test.each(Object.entries(RAILS))('%s is named in no more files outside its folders', (_, rail) => {
  const naming = sources
    .filter(({ path, text }) => rail.name.test(path) || rail.name.test(text))
    .map(({ path }) => path)
    .filter((path) => !rail.folders.test(path) && !NAMING_ALL.includes(path));
  const product = naming.filter((path) => shippedPaths.has(path));
  const app = product.filter((path) => path.startsWith('src/app/'));
  const others = naming.filter((path) => !shippedPaths.has(path));
  const counts = [app.length, product.length - app.length, others.length];
  const more = counts.filter((count, i) => count > (rail.most[i] ?? 0));
  expect(more, naming.join('\n')).toEqual([]);
});

/** The files of src/app that list features, providers and families of chains. */
const LISTS = /^src\/app\/(features\/[a-z-]+|providers|chains)\.ts$/;

test('src/app imports a provider or a family of chains in its lists only', () => {
  const importing = shipped
    .filter(({ path }) => path.startsWith('src/app/') && !LISTS.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/'#((?:providers|chains)\/[\w-]+)\/[^']+'/g)].map(
        ([, rail]) => `${path.replace('src/app/', '')}: ${rail}`,
      ),
    );
  expect([...new Set(importing)].sort()).toEqual(OTHERS);
});

const OTHERS = [
  // The chains of the database are adopted before anything is made of them.
  'app.ts: chains/evm',
  // A restored copy's mnemonic is compared with the addresses that have signed.
  'operate/restore/check-copy.ts: chains/evm',
  'operate/work-story.ts: chains/evm',
  // Examples, meanings of words and the demo wallet name the contract's chains.
  'reference/answers.ts: chains/evm',
  'reference/fields.ts: chains/evm',
  'reference/values.ts: chains/evm',
  'sandbox-door.ts: providers/bank-host',
  'sandbox-door.ts: providers/gateway',
  'seed.ts: chains/evm',
];
