import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { messageSimulators } from '#sandbox/providers/messages/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { createMessageSenders } from './adapter.ts';
import { accountTokens, readSenderAccount } from './push-tokens.ts';

const dir = mkdtempSync(join(tmpdir(), 'push-account-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const file = join(dir, 'account.json');
// Where the sandbox listens is known only after the simulator has read its file.
const account = {
  client_email: 'push@sandbox.iam.example',
  private_key: rsaKey(),
  token_uri: 'http://sandbox.invalid/token',
};
writeFileSync(file, JSON.stringify(account));
const config = {
  ...loadConfig({ NODE_ENV: 'test', SANDBOX_SMTP_PORT: '0' }),
  PUSH_ACCOUNT_FILE: file,
};
const { url, world, control } = await testSandbox(...messageSimulators(config).simulators);
const tokenUri = `${url}/push/token`;

const sendersOf = (name: string, more: object) => {
  const path = join(dir, `${name}.json`);
  writeFileSync(path, JSON.stringify({ ...account, ...more }));
  const places = { url: () => url, smtpUrl: () => '' };
  return createMessageSenders({ ...config, PUSH_ACCOUNT_FILE: path }, places);
};
interface Issued {
  readonly access_token: string;
  readonly until: number;
}
const message = (to: string) => ({ id: randomUUID(), at: new Date(), to, text: 'Hello' });
const issued = async () => (await world.records.list('push', 'token', { limit: 1000 })).length;
const inbox = async (to: string) => (await control(`GET /messages?to=${to}`)).body as unknown[];

test('a token is fetched once for all who need one at the same time, and kept', async () => {
  const { push } = sendersOf('good', { token_uri: tokenUri });
  const before = await issued();
  const sent = await Promise.all(['a', 'b', 'c'].map((to) => push(message(to))));
  sent.push(await push(message('d')));
  expect(sent.map(({ kind }) => kind)).toEqual(['done', 'done', 'done', 'done']);
  expect((await issued()) - before).toBe(1);
});

test('a token that is no longer taken is replaced at the next try', async () => {
  const { push } = sendersOf('revoked', { token_uri: tokenUri });
  await push(message('before'));
  const [newest] = await world.records.list<Issued>('push', 'token', { limit: 1 });
  const id = newest?.access_token ?? '';
  await world.records.update<Issued>('push', 'token', id, (token) => ({ ...token, until: 0 }));
  const after = message('after');
  expect(await push(after)).toEqual({ kind: 'unknown', cause: 'HTTP 401' });
  expect(await push(after)).toMatchObject({ kind: 'done' });
  expect(await inbox('after')).toHaveLength(1);
});

test('a key that the provider does not know makes messages wait', async () => {
  const { push } = sendersOf('stranger', { token_uri: tokenUri, private_key: rsaKey() });
  expect(await push(message('nobody'))).toEqual({ kind: 'unknown', cause: 'token: HTTP_400' });
  expect(await inbox('nobody')).toEqual([]);
});

test('a token endpoint that cannot be reached makes messages wait', async () => {
  const { push } = sendersOf('away', { token_uri: 'http://127.0.0.1:9/token' });
  expect(await push(message('later'))).toMatchObject({ kind: 'unknown' });
});

test('a file that is no service account stops the start without being quoted', () => {
  const path = join(dir, 'secret.json');
  writeFileSync(path, '{"private_key": "a secret"}');
  expect(() => readSenderAccount(path)).toThrow(/secret\.json is no service account$/);
  expect(() => accountTokens({ ...account, private_key: 'none' })).toThrow();
});

function rsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return privateKey;
}
