import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { command } from '#test/command.ts';
import { harness } from '#test/harness.ts';
import { protectedUser } from '#test/two-factor.ts';
import { fundWallet } from '#test/withdrawals.ts';

/** The archive of a client, by the operator's command beside the running service. */
const { MASTER_KEY, JWT_SECRET, EVM_MNEMONIC } = newSecrets();
const h = await harness({ masterKey: MASTER_KEY });
const folder = await mkdtemp(join(tmpdir(), 'archipay-tenant-'));
afterAll(() => rm(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

const tenant = (...words: string[]) =>
  command(['scripts/tenant.ts', ...words], {
    ...process.env,
    MASTER_KEY,
    JWT_SECRET,
    EVM_MNEMONIC,
    DATABASE_URL: h.kernel.pool.options.connectionString ?? '',
    LOG_LEVEL: 'silent',
  });

test('a client is exported for a key that its receiver has made, checked and compared', async () => {
  const leaver = await protectedUser(h);
  await fundWallet(h, leaver, 'USD', 500n);
  const made = await tenant('key', path('private.jwk'));
  expect(made).toMatchObject({ err: '', code: 0 });
  await writeFile(path('public.jwk'), made.out);
  const client = String(leaver.client_id);
  const words = ['export', client, '--to', path('archive'), '--recipient', path('public.jwk')];
  const written = await tenant(...words);
  expect(written.err).toBe('');
  expect(written.out).toMatch(/: \d+ rows, [1-9]\d* secrets\n$/);
  const check = await tenant('check', path('archive'));
  expect(check).toEqual({ out: 'The archive is whole.\n', err: '', code: 0 });
  const compare = ['compare', client, '--with', path('archive')];
  expect(await tenant(...compare)).toMatchObject({ err: '', code: 0 });
  await fundWallet(h, leaver, 'USD', 1n);
  expect(await tenant(...compare)).toMatchObject({ out: '', code: 1 });
  await writeFile(path('archive/users.jsonl'), '');
  expect(await tenant('check', path('archive'))).toMatchObject({
    err: expect.stringMatching(/^users\.jsonl has 0 rows, not \d+\n$/),
    code: 1,
  });
  expect((await tenant(...words)).err).toContain('EEXIST');
});

test('a private key is no key to export for', async () => {
  const words = ['export', '1', '--to', path('none'), '--recipient', path('private.jwk')];
  expect((await readFile(path('private.jwk'), 'utf8')).includes('"d"')).toBe(true);
  const { err, code } = await tenant(...words);
  expect([err, code]).toEqual([expect.stringContaining('must be a public JWK'), 1]);
});
