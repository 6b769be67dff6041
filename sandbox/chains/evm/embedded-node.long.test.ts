import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive, ownIdentity } from '#kernel/db/process-file.ts';
import { scriptOf } from '#test/child.ts';
import { silentLog, TEST_MNEMONIC, type TestNetwork, testNetwork } from '#test/evm.ts';
import { endProcess, startAnvil } from './anvil.ts';

const AMOY = 80_002;
const SILENT = 'A chain node lives but does not answer';

let test: TestNetwork;
const children: ChildProcess[] = [];
/** Identities of nodes that a failing test may have left paused. */
const paused: number[] = [];

beforeEach(async () => {
  test = await testNetwork();
});
afterEach(async () => {
  for (const pid of paused.splice(0)) resume(pid);
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await test.close();
});

const freshAddress = () => privateKeyToAccount(generatePrivateKey()).address;

const script = await scriptOf('evm-child.ts');

/** A process of its own that uses the chain of ours, and what it has said so far. */
function startProcess(to: string) {
  const { databaseUrl, dataDir } = test;
  const orders = { databaseUrl, dataDir, mnemonic: TEST_MNEMONIC, to, count: 1 };
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let text = '';
  child.stdout?.on('data', (part: Buffer) => (text += part));
  return { child, said: () => text };
}

/** The process of the one node that everybody uses. */
async function nodeOf(): Promise<string> {
  const path = join(test.dataDir, 'chains', `${AMOY}.node`);
  return JSON.parse(await readFile(path, 'utf8')).node;
}
const pidOf = (identity: string) => Number.parseInt(identity, 10);

function pause(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  paused.push(pid);
}
function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It is gone, as some tests want it.
  }
}

it('a node that is paused is waited for: who wants the chain meanwhile starts no second one', async () => {
  const { amoy } = test.network.chains;
  const url = await amoy.url();
  const node = await nodeOf();
  pause(pidOf(node));
  const to = freshAddress();
  const other = startProcess(to);
  await expect.poll(other.said).not.toBe('');
  expect(other.said()).toContain(SILENT);
  expect(await nodeOf()).toBe(node);

  resume(pidOf(node));
  await expect.poll(other.said).toContain('done');
  expect(other.said()).toContain(`${url}\n`);
  expect(await nodeOf()).toBe(node);
  expect(await (await amoy.client()).getBalance({ address: to })).toBe(1n);
});

it('a process that uses the node of another keeps to it while it is paused', async () => {
  const url = await test.network.chains.amoy.url();
  const node = await nodeOf();
  const told: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void told.push(message) };
  const other = test.reopen({ log });
  expect(await other.chains.amoy.url()).toBe(url);
  pause(pidOf(node));
  await expect.poll(() => told).toContain(SILENT);
  resume(pidOf(node));
  expect(await other.chains.amoy.url()).toBe(url);
  expect(await nodeOf()).toBe(node);
});

it('a paused node whose owner was killed is gone before another one is started', async () => {
  const to = freshAddress();
  const owner = startProcess(to);
  await expect.poll(owner.said).toContain('done');
  const node = await nodeOf();
  pause(pidOf(node));
  owner.child.kill('SIGKILL');
  await once(owner.child, 'exit');

  const { amoy } = test.network.chains;
  const client = await amoy.client();
  expect(await isAlive(node)).toBe(false);
  expect(await client.getBalance({ address: to })).toBe(1n);
});

it('a node that outlived its owner hands its state over to the next one', async () => {
  const anvil = await startAnvil({ chainId: AMOY });
  const to = freshAddress();
  await call(anvil.url, 'anvil_setBalance', [to, '0x2a']);
  const node = anvil.identity;
  const folder = join(test.dataDir, 'chains');
  await mkdir(folder, { recursive: true });
  const record = { url: anvil.url, node, owner: '999999999 1 long-gone' };
  await writeFile(join(folder, `${AMOY}.node`), JSON.stringify(record));

  const client = await test.network.chains.amoy.client();
  expect(await client.getBalance({ address: to })).toBe(42n);
  expect(await nodeOf()).not.toBe(node);
  expect(await isAlive(node)).toBe(false);
});

it('an owner whose node is no longer the recorded one ends it, and goes over to that', async () => {
  const { amoy } = test.network.chains;
  const url = await amoy.url();
  const [node, path] = [await nodeOf(), join(test.dataDir, 'chains', `${AMOY}.node`)];
  const other = await startAnvil({ chainId: AMOY });
  const record = { url: other.url, node: other.identity, owner: await ownIdentity() };
  await writeFile(path, JSON.stringify(record));
  await expect.poll(() => isAlive(node)).toBe(false);
  await expect.poll(() => amoy.url()).toBe(other.url);
  expect(url).not.toBe(other.url);
  await test.network.stop();
  expect(await nodeOf()).toBe(record.node);
  await endProcess(other.identity);
});

it('no page in a browser may read what a node answers, or send it anything but simple requests', async () => {
  const url = await test.network.chains.amoy.url();
  const origin = 'http://evil.example';
  const asked = { 'access-control-request-method': 'POST' };
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin, ...asked } });
  expect(preflight.ok).toBe(false);
  const reply = await fetch(url, { method: 'POST', headers: { origin }, body: '{}' });
  for (const { headers } of [preflight, reply])
    expect(headers.get('access-control-allow-origin')).toBeNull();
});

async function call(url: string, method: string, params: readonly unknown[]): Promise<void> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  expect(await reply.json()).not.toHaveProperty('error');
}
