import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compactDecrypt, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness } from '#test/harness.ts';
import { walletOn } from '#test/wallets.ts';
import { fundWallet } from '#test/withdrawals.ts';
import { checkArchive, compareTenant, exportTenant } from './archive.ts';
import { recipientKey, sealedHash } from './archive-secrets.ts';
import { readManifest } from './manifest.ts';

const h = await harness();
const folder = await mkdtemp(join(tmpdir(), 'archipay-tenant-'));
afterAll(() => rm(folder, { recursive: true }));
const pair = await generateKeyPair('ECDH-ES', { crv: 'X25519', extractable: true });
const recipient = await recipientKey(JSON.stringify(await exportJWK(pair.publicKey)));

const leaver = await h.user({ username: 'leaver', ekyc_status: 'APPROVED' });
const canary = await h.user({ username: 'canary-of-another-client', ekyc_status: 'APPROVED' });
const dir = join(folder, 'archive');

const write = (to: string, client_id = leaver.client_id) =>
  exportTenant(h.kernel.db, {
    client_id,
    dir: to,
    recipient,
    vault: h.kernel.vault,
    clock: h.clock,
  });
const rowsOf = async (name: string) =>
  (await readFile(join(dir, name), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  for (const as of [leaver, canary]) {
    await fundWallet(h, as, 'USD', 12_000n);
    await walletOn(h, as, 'sepolia');
  }
  await write(dir);
});

test('an archive has what the client has, with the sums of the ledger', async () => {
  const manifest = await readManifest(dir);
  expect(manifest).toMatchObject({ client_id: leaver.client_id, pending_payments: 0 });
  expect(manifest.sums).toContainEqual({
    asset: 'USD',
    purpose: 'wallet',
    accounts: 1,
    posted: '12000',
    held: '0',
  });
  expect((await rowsOf('users.jsonl')).map(({ username }) => username)).toContain('leaver');
  const entries = await rowsOf('ledger.entries.jsonl');
  expect(entries.map(({ amount }) => amount)).toContain('12000');
  const transfers = await rowsOf('ledger.transfers.jsonl');
  expect(new Set(entries.map(({ transfer_id }) => transfer_id))).toEqual(
    new Set(transfers.map(({ transfer_id }) => transfer_id)),
  );
});

test('an archive has nothing of another client', async () => {
  for (const name of await readdir(dir)) {
    const text = await readFile(join(dir, name), 'utf8');
    expect([name, text.includes(canary.username)]).toEqual([name, false]);
    if (name === 'manifest.json' || name === 'secrets.jsonl') continue;
    for (const row of await rowsOf(name)) {
      if ('client_id' in row) expect([name, row.client_id]).toEqual([name, leaver.client_id]);
      if ('user_id' in row) expect([name, row.user_id]).not.toEqual([name, canary.user_id]);
    }
  }
});

test('secrets open by the receiver’s key, and by nothing else in the archive', async () => {
  const [address] = await rowsOf('wallet_addresses.jsonl');
  const opened = h.kernel.vault.open(address.sealed_mnemonic, `mnemonic:${address.address_id}`);
  const secret = (await rowsOf('secrets.jsonl')).find(
    ({ sealed }) => sealed === sealedHash(address.sealed_mnemonic),
  );
  const { plaintext } = await compactDecrypt(secret.jwe, pair.privateKey);
  expect(new TextDecoder().decode(plaintext)).toBe(opened);
  for (const name of await readdir(dir))
    expect((await readFile(join(dir, name), 'utf8')).includes(opened)).toBe(false);
});

test('a private key, and a key of another kind, are no keys of a receiver', async () => {
  await expect(recipientKey(JSON.stringify(await exportJWK(pair.privateKey)))).rejects.toThrow(
    'public',
  );
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  await expect(recipientKey(JSON.stringify(await exportJWK(publicKey)))).rejects.toThrow('X25519');
  await expect(recipientKey('-----BEGIN')).rejects.toThrow('JWK');
});

test('only the operator’s account reads the files', async () => {
  for (const name of await readdir(dir))
    expect([name, (await stat(join(dir, name))).mode & 0o077]).toEqual([name, 0]);
});

test('one changed byte is noticed, wherever it is', async () => {
  expect(await checkArchive(dir)).toEqual([]);
  const names = (await readdir(dir)).sort();
  for (let nth = 0; nth < 200; nth += 1) {
    const path = join(dir, names[nth % names.length] ?? '');
    const bytes = await readFile(path);
    if (bytes.length === 0) continue;
    const at = (nth * 7919) % bytes.length;
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await writeFile(path, changed);
    const faults = await checkArchive(dir).catch((error: Error) => [error.message]);
    expect([path, at, faults.length > 0]).toEqual([path, at, true]);
    await writeFile(path, bytes);
  }
});

test('the same state compares as equal, and a later change is named', async () => {
  expect(await compareTenant(h.kernel.db, dir, leaver.client_id)).toEqual([]);
  await run(h.db, 'update users set username = $2 where user_id = $1', [leaver.user_id, 'renamed']);
  expect(await compareTenant(h.kernel.db, dir, leaver.client_id)).toEqual([
    expect.stringMatching(/^users differs at row \d+$/),
  ]);
  await fundWallet(h, leaver, 'USD', 100n);
  const found = await compareTenant(h.kernel.db, dir, leaver.client_id);
  expect(found).toContain('The sums of the ledger differ');
  expect(await compareTenant(h.kernel.db, dir, canary.client_id)).toEqual([
    `The archive is of client ${leaver.client_id}, not ${canary.client_id}`,
  ]);
});

test('an archive is never written over, and there is none of a client that is missing', async () => {
  await expect(write(dir)).rejects.toThrow('EEXIST');
  await expect(write(join(folder, 'none'), 999_999)).rejects.toThrow('There is no client 999999');
  expect(await readdir(folder)).not.toContain('none');
});
