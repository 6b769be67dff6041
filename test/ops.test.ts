import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { loadConfig, SETTINGS } from '#kernel/config/config.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { harness } from './harness.ts';

/** Checks operators' files against the service. */

const read = (path: string) => readFileSync(path, 'utf8');
const h = await harness();
const base = h.app.apiUrl().replace(/\/api$/, '');
const metrics = await (await fetch(`${base}/metrics`)).text();
const alerts = read('ops/prometheus/alerts.yaml');

/** Names of metrics, as the service gives them: a histogram's are three. */
const given = new Set(
  [...metrics.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name],
  ),
);
const named = (text: string): string[] => [
  ...new Set(text.match(/\b(?:archipay|nodejs|process)_[a-z0-9_]+/g)),
];

test.each(['ops/prometheus/alerts.yaml', ...globSync('ops/grafana/*.json')])(
  '%s names no metric that the service does not have',
  (path) => {
    const names = named(read(path));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !given.has(name))).toEqual([]);
  },
);

test('every metric of ours is on a board', () => {
  const boards = globSync('ops/grafana/*.json').map(read).join('\n');
  const ours = [...given].filter((name) => /^archipay_/.test(name) && !name.endsWith('_sum'));
  expect(ours.filter((name) => !named(boards).includes(name))).toEqual([]);
});

test('boards are complete: each panel has a query, and a place of its own', () => {
  for (const path of globSync('ops/grafana/*.json')) {
    const { uid, panels } = JSON.parse(read(path));
    expect(uid).toMatch(/^archipay-/);
    const places = panels.map(
      ({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`,
    );
    expect(new Set(places).size).toBe(panels.length);
    for (const { targets } of panels) expect(targets.length).toBeGreaterThan(0);
  }
});

test('each alert has a section in the runbook, and each of those an alert', () => {
  const runbook = read('ops/runbook.md');
  const linked = [...alerts.matchAll(/runbook: (\S+)#(\S+)/g)];
  expect(linked).toHaveLength(alerts.match(/- alert: /g)?.length ?? 0);
  for (const [, file = ''] of linked) expect(existsSync(file)).toBe(true);
  const sections = [...runbook.matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
  expect([...new Set(linked.map(([, , anchor]) => anchor))].sort()).toEqual(sections.sort());
});

const lines = read('.env.example').split('\n');
const offered = new Map(
  lines.flatMap((line) => {
    const [, off, name = '', value = ''] = /^(#?)([A-Z][A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    return name === '' ? [] : [[name, { value, isOff: off === '#' }] as const];
  }),
);

test('.env.example has every setting with its default, and no secret', () => {
  const own = [...read('compose.yaml').matchAll(/\$\{(\w+_(?:PASSWORD|IMAGE))/g)].map(
    ([, name]) => name,
  );
  expect(own).toContain('POSTGRES_OWNER_PASSWORD');
  expect([...offered.keys()].filter((name) => !own.includes(name)).sort()).toEqual(
    Object.keys(SETTINGS).sort(),
  );
  const values = parseEnv(lines.map((line) => line.replace(/^#(?=[A-Z0-9_]+=)/, '')).join('\n'));
  for (const [name, { default: value }] of Object.entries(SETTINGS)) {
    const isSandbox = String(value ?? '').includes('sandbox');
    if (value !== undefined) expect(values[name], name).toBe(isSandbox ? '' : String(value));
  }
});

test('.env.example with its blanks filled in starts production', () => {
  const on = [...offered].filter(([, { isOff }]) => !isOff);
  const filled = {
    ...newSecrets(),
    DATABASE_URL: 'postgres://archipay@database.example/archipay',
    PUBLIC_URL: 'https://pay.example',
  };
  const env = Object.fromEntries(on.map(([name, { value }]) => [name, value]));
  expect(() => loadConfig(env)).toThrow(/MASTER_KEY, JWT_SECRET, EVM_MNEMONIC/);
  expect(loadConfig({ ...env, ...filled })).toMatchObject({ NODE_ENV: 'production' });
});

test('/version has the build’s version, and nothing else', async () => {
  const { version } = JSON.parse(read('package.json'));
  const of = async (url: string) => (await fetch(`${url}/version`)).json();
  expect(await of(base)).toEqual({ name: 'archipay', version, commit: null });
  const built = await harness({ config: { BUILD_COMMIT: 'e2c0f0c' } });
  expect(await of(built.app.apiUrl().replace(/\/api$/, ''))).toEqual({
    name: 'archipay',
    version,
    commit: 'e2c0f0c',
  });
});

test('health and metrics may have a port of their own, and the reference may be off', async () => {
  const apart = await harness({ config: { OPS_PORT: '0', DOCS: 'off' } });
  const open = apart.app.apiUrl().replace(/\/api$/, '');
  const statusesAt = async (url: string, paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await fetch(`${url}${path}`)).status));
  const operators = ['/health/ready', '/metrics', '/version'];
  expect(await statusesAt(apart.app.opsUrl(), operators)).toEqual([200, 200, 200]);
  expect(await statusesAt(open, operators)).toEqual([404, 404, 404]);
  expect(await statusesAt(open, ['/docs', '/openapi.json'])).toEqual([404, 404]);
  // For callers, and for readers of an error's doc_url.
  expect(await statusesAt(open, ['/health/live', '/docs/errors'])).toEqual([200, 200]);
  expect(await statusesAt(base, [...operators, '/docs'])).toEqual([200, 200, 200, 200]);
  const start = (await (await fetch(open)).json()) as object;
  expect(Object.keys(start)).toEqual(['name', 'api', 'errors', 'console', 'sandbox']);
});

test('a public port shows whether the process is ready, and none of its parts', async () => {
  const shut = await harness({ config: { OPS_PUBLIC: 'off' } });
  const open = shut.app.apiUrl().replace(/\/api$/, '');
  const at = async (path: string) => {
    const answer = await fetch(`${open}${path}`);
    return [answer.status, answer.status === 200 ? await answer.json() : undefined];
  };
  expect(await at('/health/ready')).toEqual([200, { status: 'ok' }]);
  expect(await at('/health/live')).toEqual([200, { status: 'ok' }]);
  expect([await at('/metrics'), await at('/version')]).toEqual([
    [404, undefined],
    [404, undefined],
  ]);
});

test('the image has the service, no tests, and no root', () => {
  const image = read('Dockerfile');
  const stages = image.split(/^FROM /m);
  expect(stages.at(-1)).toMatch(/^USER node$/m);
  const taken = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  expect(taken.filter((path) => !existsSync(path))).toEqual([]);
  for (const [, paths = ''] of image.matchAll(/^COPY (?!--)(.*) \.\/?\S*$/gm))
    for (const path of paths.split(' '))
      expect(
        taken.some((one) => one === path || one.startsWith(join(path, '/'))),
        path,
      ).toBe(true);
  expect(taken.filter((path) => /test|chaos|bench|demo/.test(path))).toEqual([]);
});

test('the image has every command of the runbook', () => {
  const [production = ''] =
    /^## In production$[\s\S]*?^## /m.exec(read('docs/operations.md')) ?? [];
  const runbook = `${production}${read('ops/runbook.md')}`;
  const { scripts } = JSON.parse(read('package.json'));
  const commands = [...runbook.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
  const own = commands.filter((name) => !name.startsWith('drill:')).map((name) => scripts[name]);
  const files = `${runbook} ${own.join(' ')}`.match(/\bscripts\/[\w-]+\.\w+/g) ?? [];
  expect(files.length).toBeGreaterThan(10);
  const ignored = read('.dockerignore').split('\n');
  expect([...new Set(files)].filter((file) => !ignored.includes(`!${file}`))).toEqual([]);
});

test('the image has every script that those commands load', () => {
  const ignored = read('.dockerignore').split('\n');
  const taken = ignored.flatMap((line) => /^!(scripts\/[\w-]+\.\w+)$/.exec(line)?.[1] ?? []);
  const loaded = taken.flatMap((file) =>
    [...read(file).matchAll(/(?:from|import\() ?'\.\/([\w-]+\.\w+)'/g)].map(
      ([, name = '']) => `scripts/${name}`,
    ),
  );
  expect(loaded.length).toBeGreaterThan(10);
  expect([...new Set(loaded)].filter((file) => !taken.includes(file))).toEqual([]);
});
