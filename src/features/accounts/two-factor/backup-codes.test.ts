import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { mailTo } from '#test/mails.ts';
import { codeOf, complete, logIn, type Protected, protectedUser } from '#test/two-factor.ts';

const h = await harness();

const ask = (as: Protected, password: unknown = as.password) =>
  h.call('POST /2fa/backup-codes', { as, body: { password } });
const shownTo = async (as: Protected): Promise<string[]> => (await ask(as))[1].data.backup_codes;

test('the printed codes are shown again on request, and still work', async () => {
  const user = await protectedUser(h);
  const [status, body] = await ask(user);
  expect([status, body]).toEqual([
    200,
    { success: true, data: { backup_codes: expect.any(Array) } },
  ]);
  for (const codes of [body.data.backup_codes, await shownTo(user)])
    expect(codes.toSorted()).toEqual(user.backupCodes.toSorted());
  const [printed = ''] = user.backupCodes;
  await logIn(h, user);
  expect((await complete(h, user, printed))[0]).toBe(200);
});

test('a used code is no longer shown, and no trace of it can be read', async () => {
  const user = await protectedUser(h);
  const [used = '', ...others] = user.backupCodes;
  await logIn(h, user);
  expect((await complete(h, user, used))[0]).toBe(200);
  expect((await shownTo(user)).toSorted()).toEqual(others.toSorted());
  const rows = await h.db
    .selectFrom('two_factor_backup_codes')
    .where('user_id', '=', user.user_id)
    .where('used_at', 'is not', null)
    .selectAll()
    .execute();
  expect(rows).toMatchObject([{ sealed_code: null }]);
});

test('new codes need a new set-up, which ends the old ones', async () => {
  const user = await protectedUser(h);
  const [code = ''] = user.backupCodes;
  const body = { token: codeOf(h, user.secret), password: user.password };
  await h.call('POST /2fa/disable', { as: user, body });
  const [, { data }] = await h.call('POST /2fa/setup', { as: user, body: {} });
  expect(data.backup_codes).not.toContain(code);
  expect((await shownTo(user)).toSorted()).toEqual(data.backup_codes.toSorted());
});

test('it needs the password, and a set-up', async () => {
  const user = await protectedUser(h);
  for (const password of [null, '', 7])
    expect(await ask(user, password)).toMatchObject([
      400,
      { success: false, error: 'Password is required' },
    ]);
  expect(await ask(user, 'wrong')).toMatchObject([400, { error: 'Invalid password' }]);
  const stranger = await h.user();
  expect(await ask({ ...stranger, secret: '', backupCodes: [] })).toMatchObject([
    400,
    { code: 'TWO_FACTOR_NOT_SETUP' },
  ]);
});

test('a mail reports that codes were shown, since they open the account', async () => {
  const user = await protectedUser(h);
  await ask(user);
  expect((await mailTo(h, user.email, /backup codes were shown/)).text).toContain('password reset');
});

test('codes that have only marks are replaced once, and the answer says so', async () => {
  const user = await protectedUser(h);
  await h.db
    .updateTable('two_factor_backup_codes')
    .set({ sealed_code: null })
    .where('user_id', '=', user.user_id)
    .execute();
  const [, { message, data }] = await ask(user);
  expect(message).toMatch(/take their place/);
  expect(data.backup_codes).toHaveLength(8);
  expect(data.backup_codes.filter((code: string) => user.backupCodes.includes(code))).toEqual([]);
  const [, again] = await ask(user);
  expect(again.message).toBeUndefined();
  expect(again.data.backup_codes.toSorted()).toEqual(data.backup_codes.toSorted());
});

test('sealed codes of one user do not open as another’s', async () => {
  const [one, other] = [await protectedUser(h), await protectedUser(h)];
  const sealed = await h.db
    .selectFrom('two_factor_backup_codes')
    .where('user_id', '=', one.user_id)
    .select('sealed_code')
    .executeTakeFirstOrThrow();
  await h.db
    .updateTable('two_factor_backup_codes')
    .set(sealed)
    .where('user_id', '=', other.user_id)
    .execute();
  expect((await ask(other))[0]).toBe(500);
});
