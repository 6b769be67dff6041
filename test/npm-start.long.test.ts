import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { identify, isAlive } from '#kernel/db/process-file.ts';
import { serviceStarter } from './service.ts';

const { npm_execpath: npm } = process.env;
const start = await (npm
  ? serviceStarter(process.execPath, [npm, 'start'])
  : serviceStarter('npm', ['start']));

/** The service's records of its processes: itself, its database server, and its chain nodes. */
async function processes(): Promise<string[]> {
  const read = (pattern: string) =>
    globSync(join(start.dataDir, pattern)).map((path) => readFileSync(path, 'utf8'));
  const servers = read('postgres/cluster/postmaster.pid').map((text) => Number.parseInt(text, 10));
  const credentials = await Promise.all(servers.map(identify));
  return [
    ...read('postgres/users/*'),
    ...credentials.filter((identity) => identity !== undefined),
    ...read('chains/*.node').map((text) => JSON.parse(text).node),
  ];
}

const living = async (all: readonly string[]) => {
  const alive = await Promise.all(all.map(isAlive));
  return all.filter((_, i) => alive[i]);
};

const all: string[] = [];
afterAll(async () => {
  for (const identity of await living(all)) process.kill(Number.parseInt(identity, 10), 'SIGKILL');
});

test('a SIGTERM to npm ends the service and everything that it has started', async () => {
  const { end } = await start();
  // The chain nodes start in the background.
  await expect.poll(processes).toHaveLength(5);
  all.push(...(await processes()));
  await end('SIGTERM');
  await expect.poll(() => living(all)).toEqual([]);
});

/** A child of a shell that prints the signals it gets, and outlives its parent for a while. */
async function underShell(listens: boolean) {
  const script = `
    import { endWithParent } from '${new URL('../scripts/parent.mjs', import.meta.url)}';
    endWithParent();
    setInterval(() => undefined, 1000);
    const end = () => setTimeout(() => process.exit(0), 2500);
    if (${listens}) process.on('SIGTERM', () => { console.log('asked'); end(); });
    console.log(process.pid);`;
  const inner = `"$0" --input-type=module -e "$1"; true`;
  const shell = spawn('/bin/sh', ['-c', inner, process.execPath, script], {
    env: { npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  shell.stdout.on('data', (part: Buffer) => (said += part));
  await expect.poll(() => said).toMatch(/^\d+\n/);
  const child = (await identify(Number.parseInt(said, 10))) ?? '';
  all.push(child);
  return { shell, child, said: () => said };
}

test('a process that is signalled together with its parent ends once', async () => {
  const { shell, child, said } = await underShell(true);
  process.kill(Number.parseInt(child, 10), 'SIGTERM');
  shell.kill('SIGTERM');
  await expect.poll(() => living([child])).toEqual([]);
  expect(said()).toMatch(/^\d+\nasked\n$/);
});

test.each([true, false])('who loses their parent ends, be they listening: %s', async (listens) => {
  const { shell, child, said } = await underShell(listens);
  shell.kill('SIGKILL');
  await expect.poll(() => living([child])).toEqual([]);
  expect(said().includes('asked')).toBe(listens);
});

test('a signal ends a process that does not handle it yet', async () => {
  const { child } = await underShell(false);
  process.kill(Number.parseInt(child, 10), 'SIGTERM');
  await expect.poll(() => living([child])).toEqual([]);
});
