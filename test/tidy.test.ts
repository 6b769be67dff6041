import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { breaking, features, inFeature, pathOf, product, sources } from './tidy/sources.ts';

/** The rules of the house that no linter knows. An exception that no longer applies is a failure too. */

test('files are short, tests a little longer', () => {
  const lines = ({ text }: { text: string }) => text.split('\n').length - 1;
  const limit = ({ path }: { path: string }) => (path.endsWith('.test.ts') ? 400 : 300);
  const long = sources.filter((file) => lines(file) > limit(file)).map(({ path }) => path);
  expect(long).toEqual([]);
});

test('dependencies point one way: features, then providers’ ports, then the kernel', () => {
  const from = (folder: string) => product.filter(({ path }) => path.startsWith(`src/${folder}/`));
  expect(
    breaking(from('kernel'), /from '#(features|providers|chains|sandbox|embedded|src)\//),
  ).toEqual([]);
  // Examples of the reference send the sandbox's tokens.
  const adapters = /from '#providers\/[\w-]+\/(?!(port|demo-tokens?)\.ts)/;
  expect(breaking(from('features'), adapters)).toEqual([]);
  const inner = product.flatMap(({ path, text }) => {
    const own = inFeature(path)?.area;
    return [...text.matchAll(/from '#features\/[\w-]+\/([\w-]+)\/([\w-]+)\.ts'/g)].flatMap(
      ([, area, file]) =>
        area !== own && area !== file ? [`${path}: #features/${area}/${file}.ts`] : [],
    );
  });
  expect(inner).toEqual([]);
});

test('the chains are known by their port, and their tables by their own folder', () => {
  const outside = sources.filter(
    ({ path }) =>
      !/^(src\/chains|sandbox|test|contracts)\//.test(path) && !path.endsWith('.test.ts'),
  );
  const composing = outside.filter(({ path }) => COMPOSING_CHAINS.test(path));
  const using = outside.filter((file) => !composing.includes(file));
  expect(breaking(using, /'#chains\/(?![\w-]+\/(?:[\w-]+\/)?port\.ts)[\w-]+\/[\w-]/)).toEqual([]);
  const makers =
    /'#chains\/(?![\w-]+\/(?:(?:[\w-]+\/)?port|family|network|configure|adopt-chains)\.ts)[\w-]+\/[\w-]/;
  expect(breaking(composing, makers)).toEqual([]);
  const tables =
    /\b(chain_(transactions|replacements|lanes)|xrpl_journal|cardano_(transactions|outputs))\b/;
  const others = product.filter(
    ({ path }) => !/^((src|sandbox)\/chains\/|src\/app\/tenancy\.ts$)/.test(path),
  );
  expect(breaking(others, tables)).toEqual([]);
  const naming = product.filter(({ path }) => !CHAIN_NAMING.includes(path));
  expect(breaking(naming, /\b(sepolia|amoy|neon)\b/)).toEqual([]);
});

/** Chains are rows; programs without a database use the contract's, and settings go by name. */
const CHAIN_NAMING = ['src/chains/evm/chains.ts', 'src/kernel/config/settings/chains.ts'];

/** Files that create networks, and do not only use them. */
const COMPOSING_CHAINS = /^(src\/app|scripts|bench)\//;

test('the environment is read in one place, and so is the machine’s clock', () => {
  const config = ['src/kernel/config/config.ts', 'src/main.ts'];
  const elsewhere = product.filter(({ path }) => !config.includes(path));
  expect(breaking(elsewhere, /process\.env/)).toEqual([]);
  const clockless = product.filter(({ path }) => path !== 'src/kernel/clock.ts');
  expect(breaking(clockless, /Date\.now\(\)|new Date\(\)/)).toEqual([]);
});

/** Files whose SQL uses the machine's clock on purpose: leases, queues, and chain data. */
const MACHINE_TIMED = [
  'src/chains/evm/books/supply.ts',
  'src/chains/evm/sending/journal.ts',
  'src/chains/evm/sending/pending-store.ts',
  'src/features/chain-wallets/wallet-spending/holds-store.ts',
  'src/features/messaging/webhooks/delivery/lease-store.ts',
  'src/kernel/db/migrate.ts',
  'src/kernel/effects/next-attempt.ts',
  'src/kernel/effects/saga-store.ts',
  'src/kernel/jobs/dispatcher.ts',
  'src/kernel/jobs/endings.ts',
  'src/kernel/jobs/enqueue.ts',
  'src/kernel/jobs/job-stats.ts',
  'src/kernel/jobs/jobs.ts',
];

/** The same for migrations: the pause between passes over the outbox, due and claimed jobs, and the service's time itself. */
const MACHINE_TIMED_MIGRATION =
  /_(cheaper_events|entries_told_at_the_move|cheaper_time|due_queues|claimed_jobs|taken_jobs|parts_of_clients|own_jobs|numbered_and_dated_in_one_order)\.sql$/;

test('SQL uses the service’s time, service_now(), and not the machine’s', () => {
  const machine = /(?<![\w.])now\(\)(?!:)|\b(current|local)_?time(stamp)?\b|_timestamp\(\)/i;
  const asking = product.filter((file) => breaking([file], machine).length > 0);
  expect(asking.map(({ path }) => path).sort()).toEqual(MACHINE_TIMED);
  // The migration that made the one clock converted the earlier ones.
  const migrations = globSync('migrations/*.sql').sort();
  const brought = migrations.findIndex((path) => path.includes('_service_time_'));
  const later = migrations
    .slice(brought + 1)
    .filter((path) => !MACHINE_TIMED_MIGRATION.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  expect(breaking(later, machine)).toEqual([]);
});
test('only the checking client calls addresses that callers name', () => {
  const calling =
    /from 'undici'|\bfetch\(|\b(request|get|connect)\b.* from 'node:(https?|tls|http2)'/;
  const served = product.filter(({ path }) => !MAY_CALL.test(path));
  expect(breaking(served, calling).filter((at) => !PAGE_SCRIPTS.test(at))).toEqual([]);
  expect(breaking(product, calling).filter((at) => PAGE_SCRIPTS.test(at))).toHaveLength(5);
});

/** Providers, chains and the sandbox call addresses that the operator has set up, and none that callers name. */
const MAY_CALL = /^(sandbox|src\/(kernel\/(outbound|provider-call\.ts)|providers|chains|app))/;
/** Run in the browser. */
const PAGE_SCRIPTS = /^src\/kernel\/(http\/pages\/(pages|live-script)|openapi\/docs-page)\.ts:/;

test('money is never a float', () => {
  const counting = product.filter(({ path, text }) => {
    const rule = path.startsWith('src/kernel/money/');
    return !rule && text.includes('#kernel/money/money.ts');
  });
  expect(breaking(counting, /parseFloat|\.toFixed\(/)).toEqual([]);
});

test('only tests hash passwords at a reduced cost', () => {
  const giving = breaking(product, /\bpasswordCost\b/).map((at) => at.split(':')[0]);
  expect([...new Set(giving)]).toEqual(['src/kernel/kernel.ts']);
});

test('no TODO is left', () => {
  expect(
    breaking(sources, /\b(TODO|FIXME|HACK)\b(?!\|)/).filter((at) => !at.includes('tidy.test')),
  ).toEqual([]);
  const skipped = /\b(test|it|describe)\.(only|todo)\(/;
  expect(breaking(sources, skipped).filter((at) => !at.includes('tidy.test'))).toEqual([]);
});

test('migrations are numbered without a gap', () => {
  const names = globSync('migrations/*')
    .map((path) => path.replace('migrations/', ''))
    .sort();
  for (const [i, name] of names.entries()) {
    expect(name).toMatch(/^\d{4}_[a-z0-9_]+\.sql$/);
    expect(Number(name.slice(0, 4)), name).toBe(i + 1);
  }
});

test('tests wait for conditions, and find a message by its text', () => {
  const tests = sources.filter(({ path }) => path.endsWith('.test.ts'));
  expect(breaking(tests, /timers\/promises'|performance\.now\(\)|vi\.waitFor/)).toEqual([]);
  // Other messages may leave at the same moment: test/mails.ts.
  expect(breaking(tests, /const \[[^\]]+\] = await \w+\.messages\(/)).toEqual([]);
});

test('every feature is tested', () => {
  const tested = new Set(
    globSync('src/features/*/*/**/*.test.ts').map((path) => path.split('/')[3]),
  );
  expect(features.filter((feature) => !tested.has(feature))).toEqual([]);
});

/** Parts that the features of a domain share; no features themselves. */
const SHARED = ['ramp'];

test('every feature folder is composed', () => {
  const composition = globSync('src/app/features/*.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const missing = features.filter((area) => {
    const create = `create${area.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
    const [, made] = composition.match(new RegExp(`const (\\w+) = ${create}\\(`)) ?? [];
    const listed = made ? `${made},` : `${create}(`;
    return !composition.split('\n').some((line) => line.trim().startsWith(listed));
  });
  expect(missing).toEqual(SHARED);
});

test('only the public file of a feature re-exports from its other files', () => {
  const handing = product.filter(({ path, text }) => {
    const [, folder, , area, file] = path.split('/');
    const inner = folder === 'features' && file !== `${area}.ts`;
    return inner && /^export (type )?\{[^}]*\} from /m.test(text);
  });
  expect(handing.map(({ path }) => path)).toEqual([]);
});

test('an error of a single field is made by one function: wrongField', () => {
  const others = product.filter(({ path }) => path !== 'src/kernel/error.ts');
  expect(breaking(others, /details: \[\s*\{\s*field\b/)).toEqual([]);
  expect(breaking(others, /fail\(\s*'VALIDATION_ERROR',\s*['`][a-z]+_[a-z_]+ /)).toEqual([]);
});

test('no source file is dead', () => {
  const imported = new Set(
    sources.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+\.ts)'/g)].map(([, target = '']) =>
        pathOf(path, target),
      ),
    ),
  );
  const entries = new Set(['src/main.ts']);
  const named = sources.map(({ text }) => text).join('\n');
  const dead = product.filter(
    ({ path }) =>
      !imported.has(path) && !entries.has(path) && !named.includes(path.split('/').at(-1) ?? ''),
  );
  expect(dead.map(({ path }) => path)).toEqual([]);
});

test('every export is used by another file', () => {
  const words = new Map(sources.map(({ path, text }) => [path, new Set(text.match(/\w+/g))]));
  const unused = product.flatMap(({ path, text }) => {
    const names = text.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm);
    const others = [...words].filter(([other]) => other !== path);
    return [...names]
      .filter(([, name = '']) => !others.some(([, used]) => used.has(name)))
      .map(([, name]) => `${path}: ${name}`);
  });
  expect(unused).toEqual([]);
});
