import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { readMigrations } from '#kernel/db/migrate.ts';
import { type CopyOptions, checkCopy } from '#src/app/operate/restore/check-copy.ts';
import { expectedTriggers } from '#src/app/operate/restore/schema.ts';
import { SEALED } from '#src/app/operate/restore/sealed.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { bankUser } from './bank-link.ts';
import { batchMaker } from './batches.ts';
import { cardUser, spoil } from './cards.ts';
import { command } from './command.ts';
import { asSuperuser, connected, copyWith, rowsOf } from './copies.ts';
import { harness } from './harness.ts';
import { invoicesOf } from './invoices.ts';
import { bankRefunds } from './refunds.ts';
import { runFolder } from './run-folder.ts';
import { protectedUser } from './two-factor.ts';
import { admin, endpointOf, happening } from './webhooks.ts';

/** Whether a copy of the database is usable, by `npm run restore:check`. */
const EVM_MNEMONIC = 'test test test test test test test test test test test junk';
const MASTER_KEY = newSecrets().MASTER_KEY;
const h = await harness({ mock: false, masterKey: MASTER_KEY, features: happening });
await h.drain();
const live = h.kernel.pool.options.connectionString ?? '';

// Some of everything worth restoring: money, a call without an answer, and every kind of sealed text.
const operator = await h.operator();
const ada = cardUser(h, await protectedUser(h));
await ada.topUp('100.00', undefined, 'USD', 'first');
await spoil(h, 'commit-then-drop');
await spoil(h, 'error', 2);
await ada.topUp('7.00');
await h.sandbox('DELETE', '/faults');
await (await bankUser(h, await h.user())).exchange();
await h.call('POST /payment-gateway/settings/return-secret', { as: await admin(h) });
await h.call('PUT /cards/decision-webhook', {
  as: await admin(h),
  body: { url: 'https://hooks.example.com/c', timeout_ms: 500, fallback: { decline: true } },
});
await endpointOf(h, await admin(h), {
  url: 'https://hooks.example.com/a',
  headers: { 'x-token': 'b' },
});
await fetch(`${h.app.apiUrl()}/files?purpose=dispute_evidence`, {
  method: 'POST',
  body: 'what,when\nreceipt,today\n',
  headers: {
    'x-api-key': h.key,
    authorization: `Bearer ${ada.as.token}`,
    'content-type': 'text/csv',
  },
});
const payer = await batchMaker(h, 'USD', 1000n, ada.as);
await payer.withdraw('1');
await payer.draft(payer.lines('1'));
const { invoice_id } = await bankRefunds(h).paid(ada.as);
const recipient_id = await bankRefunds(h).recipient(ada.as);
await invoicesOf(h).refund(ada.as, invoice_id, { recipient_id });
const body = { user_id: ada.as.user_id, wallet_name: 'Savings', chain_id: 'sepolia' };
const [, made] = await h.call('POST /manual/wallets/crypto', { as: ada.as, body });
await h.call('POST /manual/wallets/crypto/{bw_id}/address', {
  as: ada.as,
  params: { bw_id: made.data.bw_id },
  body: { chain_id: 'sepolia' },
});
await h.call('POST /clients/create_with_admin', {
  as: operator,
  body: {
    email: 'new@example.test',
    client_alias: 'New',
    client_type: 'BUSINESS',
    country_code: 'US',
    phone: '+12025550100',
  },
});
await h.call('POST /admins/users', {
  as: operator,
  body: {
    client_id: ada.as.client_id,
    username: 'grace',
    email: 'grace@example.test',
    country_code: 'US',
    phone: '+12025550101',
  },
});
await h.call('POST /agent/wallets/process', {
  as: ada.as,
  body: { user_id: ada.as.user_id, user_input: 'Create a wallet' },
});
const backup = await rowsOf(live);

const options: CopyOptions = { secrets: { MASTER_KEY, EVM_MNEMONIC }, at: h.clock.now() };

/** The findings in a copy after that change by its superuser. */
async function foundIn(harm: string, given: Partial<CopyOptions> = {}) {
  const copy = await copyWith(backup);
  try {
    if (harm !== '') await connected(asSuperuser(copy.url), (client) => client.query(harm));
    return await checkCopy(copy.url, { ...options, ...given });
  } finally {
    await copy.close();
  }
}

const wrongOf = (findings: Awaited<ReturnType<typeof checkCopy>>) =>
  findings.filter(({ state }) => state === 'wrong');
const UNGUARDED = 'set session_replication_role = replica';

test('a good copy has no fault, and lists the calls in flight by reference', async () => {
  const findings = await foundIn('', { liveUrl: live });
  expect(wrongOf(findings)).toEqual([]);
  const of = (check: string) => findings.filter((one) => one.check === check);
  expect(of('ledger')[0]?.says).toMatch(/transfers?, \d+ entries: all \d+ rules hold$/);
  const [open] = await h.db
    .selectFrom('effects')
    .where('state', '=', 'OPEN')
    .select(['kind', 'id'])
    .execute();
  expect(of('under way')[0]).toMatchObject({
    says: expect.stringContaining('1 call to providers without an outcome'),
    rows: [{ ...open, calls: 1 }],
  });
  expect(of('age')[1]?.says).toBe('Every posting of the database is in the copy');
});

test('every kind of sealed text is opened, and none is shown', async () => {
  const findings = await foundIn('');
  const sealed = findings.find(({ check }) => check === 'secrets');
  const kinds = sealed?.rows?.map((row) => (row as { kind: string }).kind);
  expect(kinds?.sort()).toEqual(SEALED.map(({ what }) => what).sort());
  for (const row of sealed?.rows ?? [])
    expect(Object.keys(row)).toEqual(['kind', 'key', 'sealed', 'opened']);
  const text = JSON.stringify(findings);
  const [row] = await h.db.selectFrom('wallet_addresses').selectAll().execute();
  for (const secret of [row?.sealed_key, MASTER_KEY.slice(2), ...EVM_MNEMONIC.split(' ').slice(-1)])
    expect(text).not.toContain(secret);
});

test('no sealed column is forgotten', async () => {
  const { rows: columns } = await connected(live, (client) =>
    client.query(
      `select table_name as table, column_name as column from information_schema.columns
       where column_name ~ '^sealed_|_sealed$'`,
    ),
  );
  const texts = SEALED.map((kind) => kind.text).join('\n');
  expect(columns.length).toBeGreaterThan(7);
  for (const { column, table } of columns) {
    expect(texts).toContain(column);
    expect(texts).toContain(table);
  }
});

test('a wrong or missing master key is reported by kind', async () => {
  const stranger = newSecrets().MASTER_KEY;
  const [other] = wrongOf(await foundIn('', { secrets: { MASTER_KEY: stranger, EVM_MNEMONIC } }));
  expect(other).toMatchObject({
    check: 'secrets',
    rows: expect.arrayContaining([
      { kind: 'keys of crypto wallets', key: '1', why: 'was sealed under another key, or changed' },
    ]),
  });
  const rotated = stranger.replace(/^1:/, '2:');
  const without = { MASTER_KEY: rotated, EVM_MNEMONIC };
  const [left] = wrongOf(await foundIn('', { secrets: without }));
  expect(left?.rows).toContainEqual({
    kind: 'backup codes',
    key: '1',
    why: 'MASTER_KEY has no version 1',
  });
  const both = { MASTER_KEY: `${rotated},${MASTER_KEY}`, EVM_MNEMONIC };
  expect(wrongOf(await foundIn('', { secrets: both }))).toEqual([]);
  // Everything opens, and yet no code is found: fingerprints depend on the last key.
  const turned = { MASTER_KEY: `${MASTER_KEY},${rotated}`, EVM_MNEMONIC };
  const [lost] = wrongOf(await foundIn('', { secrets: turned }));
  expect(lost?.rows).toContainEqual({
    kind: 'backup codes',
    key: '1',
    why: 'opens, but is found no more: the oldest key is not the one that there was',
  });
});

test.each([
  ['ledger', 'an entry', `update ledger.entries set amount = amount + 1 where seq = 1`],
  ['balance', 'a balance', `update ledger.accounts set posted = posted + 1 where owner <> 'house'`],
  ['kept sums', 'a kept sum', 'update idr_supply set minted = minted + 1'],
])('the check of %s finds %s that was changed by a superuser', async (check, _what, harm) => {
  const findings = wrongOf(await foundIn(`${UNGUARDED}; ${harm}`));
  expect(findings.map((one) => one.check)).toContain(check);
});

test.each([
  ['guards', 'a trigger turned off', 'alter table ledger.entries disable trigger entries_stay'],
  ['guards', 'a trigger that is gone', 'drop trigger log_only_grows on events.log'],
  [
    'guards',
    'a key that is gone',
    'alter table card_transactions drop constraint card_transactions_pkey cascade',
  ],
  ['roles', 'a right of others', 'grant insert on ledger.entries to public'],
  ['roles', 'a foreign owner', 'alter table users owner to postgres'],
  [
    'schema',
    'a newer schema',
    `insert into migrations (version, name, checksum) values (9999, '9999_later.sql', '')`,
  ],
  [
    'schema',
    'an older schema',
    'delete from migrations where version = (select max(version) from migrations)',
  ],
])('the check of %s finds %s', async (check, _what, harm) => {
  const checks = wrongOf(await foundIn(harm)).map((one) => one.check);
  expect([...new Set(checks)]).toEqual([check]);
});

test('a copy from before the last postings reports their number, and its age', async () => {
  await ada.topUp('5.00');
  const at = new Date(h.clock.now().getTime() + 3_600_000);
  const findings = await foundIn('', { liveUrl: live, at, rpoSeconds: 900 });
  const [age, lost] = findings.filter(({ check }) => check === 'age');
  expect(age).toMatchObject({
    state: 'wrong',
    says: expect.stringMatching(/before .*, where 15 minutes are wanted$/),
  });
  expect(lost).toMatchObject({
    state: 'note',
    says: expect.stringMatching(/^The database has \d+ postings? that the copy lacks, of /),
  });
});

test('a database that the service uses is refused as a copy', async () => {
  const findings = await checkCopy(live, options);
  expect(wrongOf(findings)[0]).toMatchObject({
    check: 'in use',
    says: expect.stringContaining('it is at work on this database'),
  });
});

test('a mnemonic of accounts that have not signed is reported', async () => {
  const lane = `insert into chain_nonces (chain_id, address, next_nonce)
    values (11155111, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 1)`;
  expect(wrongOf(await foundIn(lane))).toEqual([]);
  const secrets = { MASTER_KEY, EVM_MNEMONIC: newSecrets().EVM_MNEMONIC };
  expect(wrongOf(await foundIn(lane, { secrets }))).toMatchObject([{ check: 'chain accounts' }]);
});

test('the triggers read from the migrations match a migrated database', async () => {
  const { rows } = await connected(live, (client) =>
    client.query(
      `select distinct case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname || '.' || tgname as name
       from pg_trigger t join pg_class c on c.oid = tgrelid join pg_namespace n on n.oid = c.relnamespace
       where not tgisinternal and tgparentid = 0 and n.nspname <> 'pgboss'`,
    ),
  );
  const there = rows.map(({ name }) => name as string).sort();
  expect([...expectedTriggers(await readMigrations())].sort()).toEqual(there);
});

const folder = await runFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The command as an operator runs it, with only these programs of PostgreSQL on PATH. */
async function restoreCheck(words: readonly string[], settings: object = {}) {
  return command(['scripts/restore-check.ts', ...words], {
    PATH: join(folder, 'bin'),
    DATA_DIR: join(folder, 'data'),
    TMPDIR: join(folder, 'tmp'),
    DATABASE_URL: live,
    MASTER_KEY,
    EVM_MNEMONIC,
    ...settings,
  });
}

async function install(program: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await mkdir(join(folder, 'tmp'), { recursive: true });
  // Root's server runs as another user, who needs access.
  const becoming = '/usr/bin/setpriv';
  if (existsSync(becoming)) await symlink(becoming, join(folder, 'bin', 'setpriv')).catch(() => {});
  for (const place of [folder, join(folder, 'tmp')]) await chmod(place, 0o711);
  const path = join(folder, 'bin', program);
  const script = resolve('test/pg-restore-stand-in.ts');
  await writeFile(path, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  await chmod(path, 0o755);
}

test('a dump is restored into a database of its own, checked, and removed', async () => {
  await install('pg_restore');
  const dump = join(folder, 'archipay.dump');
  const inbound = `insert into inbox (source, id, event) values ('identity', 'e-1', '{}')`;
  await writeFile(dump, `PGDMP\n${inbound}`);
  const { out, err, code } = await restoreCheck(['--dump', dump, '--json']);
  expect(err).toBe('');
  const report = JSON.parse(out);
  expect(report).toMatchObject({ restored_ms: expect.any(Number), checked_ms: expect.any(Number) });
  const wrong = report.findings.filter(({ state }: { state: string }) => state === 'wrong');
  expect({ wrong, code }).toEqual({ wrong: [], code: 0 });
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
});

test('a failed restore of a dump reports its cause, and ends with 1', async () => {
  await install('pg_restore');
  const dump = join(folder, 'half.dump');
  await writeFile(dump, 'PGDMP\nselect from nothing_of_the_kind');
  const scratch = ['--scratch', inject('testAdmin')];
  expect(await restoreCheck(['--dump', dump, ...scratch])).toMatchObject({
    code: 1,
    err: expect.stringContaining('The service is at work on the server of --scratch'),
  });
  expect(await restoreCheck(['--dump', dump])).toMatchObject({
    code: 1,
    err: expect.stringContaining('nothing_of_the_kind'),
  });
  await writeFile(dump, '-- PostgreSQL database dump');
  expect(await restoreCheck(['--dump', dump])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^psql is not on PATH: install PostgreSQL's client programs/),
  });
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
});

test('an existing copy is checked by its address, in lines for people', async () => {
  const copy = await copyWith(backup);
  try {
    const good = await restoreCheck(['--database', copy.url]);
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(good.out).toMatch(/^ok {5}ledger: .* rules hold$/m);
    expect(good.out).toMatch(/This copy can be gone on from\.$/m);
    const bad = await restoreCheck(['--database', copy.url], { ...newSecrets() });
    expect(bad.code).toBe(1);
    expect(bad.out).toMatch(/^wrong {2}secrets: MASTER_KEY does not open/m);
  } finally {
    await copy.close();
  }
});

test('an unknown argument prints the usage', async () => {
  for (const words of [
    [],
    ['--dump', 'a', '--database', 'b'],
    ['--database', 'b', '--at', 'never'],
  ])
    expect(await restoreCheck(words)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Usage: npm run restore:check'),
    });
});
