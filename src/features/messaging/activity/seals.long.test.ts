import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { command } from '#test/command.ts';
import { harness } from '#test/harness.ts';
import { logActivity, verifyAudit } from './activity.ts';

const masterKey = `1:${randomBytes(32).toString('base64')}`;
const h = await harness({ masterKey });
// Schedules are due from their first sight on.
await h.drain();
const { db } = h;
const { vault } = h.kernel;

const lastLine = async () => {
  const [row] = await run<{ id: number }>(db, 'select max(id) as id from activity_log', []);
  return row?.id ?? 0;
};
const sealedUpTo = async () => {
  const text = 'select coalesce(max(upto), 0) as upto from activity_seals';
  const [row] = await run<{ upto: number }>(db, text, []);
  return row?.upto ?? 0;
};
const verify = (seen?: string) => verifyAudit(db, { vault, seen });
const logged = () => h.logs.filter((line) => line.includes('the audit log is sealed'));

/** Writes so many lines and waits for their seal: the schedule waits for older transactions of anybody on the server. */
async function sealed(lines: number): Promise<void> {
  for (let n = 0; n < lines; n += 1)
    await logActivity(db, { action: 'TESTED', actor: null, details: { n, text: 'a\nb "c"' } });
  const last = await lastLine();
  while ((await sealedUpTo()) < last) {
    await h.advance(600);
    await h.drain();
  }
}

/** What somebody does who owns the database. */
async function tampered(table: string, text: string, values: readonly unknown[]): Promise<void> {
  await run(db, `alter table ${table} disable trigger user`, []);
  await run(db, text, values);
  await run(db, `alter table ${table} enable trigger user`, []);
}

test('what people did is neither changed nor removed, nor are its seals', async () => {
  await sealed(2);
  for (const table of ['activity_log', 'activity_seals'])
    for (const text of [
      `delete from ${table}`,
      `truncate ${table}`,
      table === 'activity_log' ? `update ${table} set ip = null` : `update ${table} set lines = 1`,
    ])
      await expect(run(db, text, [])).rejects.toThrow('written once');
});

test('a seal covers the lines as they were written, and later seals continue it', async () => {
  await sealed(3);
  const first = await verify();
  expect(first).toMatchObject({ unsealed: 0, broken: [] });
  await logActivity(db, { action: 'TESTED', actor: null });
  expect(await verify()).toMatchObject({ lines: first.lines, unsealed: 1, broken: [] });
  await sealed(1);
  const second = await verify(first.newest);
  expect(second).toMatchObject({ lines: first.lines + 2, unsealed: 0, broken: [] });
  expect(second.seals).toBeGreaterThan(first.seals);
  // Where no change of the database reaches it.
  expect(logged().at(-1)).toContain(second.newest);
});

test('a changed, removed or inserted line is found, for any author', async () => {
  await sealed(3);
  const last = await lastLine();
  const [line] = await run<Record<string, unknown>>(
    db,
    'select action, details::text, ip, at::text from activity_log where id = $1',
    [last],
  );
  const where = expect.stringMatching(new RegExp(`^lines \\d+ to ${last}: `));
  for (const set of [
    `action = 'OTHER'`,
    `details = '{}'`,
    `ip = '::1'`,
    `at = at + interval '1 second'`,
  ]) {
    await tampered('activity_log', `update activity_log set ${set} where id = $1`, [last]);
    expect([set, (await verify()).broken]).toEqual([set, [where]]);
    const back =
      'update activity_log set action = $2, details = $3::text::jsonb, ip = $4, at = $5::text::timestamptz where id = $1';
    await tampered('activity_log', back, [
      last,
      line?.['action'],
      line?.['details'],
      line?.['ip'],
      line?.['at'],
    ]);
    expect((await verify()).broken).toEqual([]);
  }
  await tampered('activity_log', 'delete from activity_log where id = $1', [last - 1]);
  expect((await verify()).broken).toEqual([expect.stringMatching(/sealed, \d+ are there/)]);
  const slipped = `insert into activity_log (id, action) overriding system value values ($1, 'SLIPPED_IN')`;
  await run(db, slipped, [last - 1]);
  expect((await verify()).broken).toEqual([expect.stringContaining('changed since')]);
  await run(db, slipped, [-1]);
  expect((await verify()).broken).toHaveLength(1);
});

test('seals are not made without the key, and none goes missing', async () => {
  await sealed(1);
  const [middle] = [await sealedUpTo()];
  await sealed(1);
  const { newest, broken: before } = await verify();
  const other = createVault(`1:${Buffer.alloc(32, 7).toString('base64')}`);
  const { seals, broken } = await verifyAudit(db, { vault: other });
  expect(broken).toHaveLength(seals);
  // The last one and its lines cut off: only who has seen its mark knows.
  const last = await sealedUpTo();
  await tampered('activity_seals', 'delete from activity_seals where upto = $1', [last]);
  await tampered('activity_log', 'delete from activity_log where id > $1', [middle]);
  expect((await verify()).broken).toEqual(before);
  expect((await verify(newest)).broken).toHaveLength(before.length + 1);
  await tampered('activity_seals', 'delete from activity_seals where upto < $1', [middle]);
  expect((await verify()).broken).toContainEqual(expect.stringContaining('is missing'));
});

test('the command says the same: what fits, what does not, and what it takes', async () => {
  const env = {
    ...process.env,
    DATABASE_URL: h.kernel.pool.options.connectionString ?? '',
    DATA_DIR: h.dataDir,
    LOG_LEVEL: 'silent',
  };
  const verified = (words: readonly string[], key = masterKey) =>
    command(['scripts/audit-verify.ts', ...words], { ...env, MASTER_KEY: key });
  const { lines, seals, broken } = await verify();
  expect(broken.length).toBeGreaterThan(0);
  const differing = await verified([]);
  expect(differing).toMatchObject({
    out: expect.stringContaining(`${lines} lines under ${seals} seals, 0 not sealed yet`),
    err: broken.map((one) => `BROKEN: ${one}\n`).join(''),
    code: 1,
  });
  expect((await verified(['--seal', '0'.repeat(64)])).err).toContain('was cut off');
  for (const words of [['--seal', 'x'], ['again']])
    expect(await verified(words)).toMatchObject({ err: expect.stringContaining('Usage'), code: 1 });
  // As it was before anybody changed it: nothing of it sealed yet.
  await tampered('activity_seals', 'delete from activity_seals', []);
  expect(await verified([])).toMatchObject({
    out: expect.stringContaining('All of it is as it was written.'),
    code: 0,
  });
});
