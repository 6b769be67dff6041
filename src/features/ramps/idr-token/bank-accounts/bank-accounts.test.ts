import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNameOf } from '#kernel/account-name.ts';
import { run } from '#kernel/db/db.ts';
import { harness } from '#test/harness.ts';
import { tokenUser } from '#test/idr-token.ts';

const h = await harness();
const someone = async (fields: Parameters<typeof h.user>[0] = {}) =>
  tokenUser(h, await h.user(fields));
const remove = (user: ReturnType<typeof tokenUser>, bank_id: number) =>
  user.call('DELETE /idrtoken/banks/{bank_id}', { params: { bank_id } });

test('a bank account is added, listed and deactivated', async () => {
  const user = await someone({ username: 'Budi Santoso' });
  const [status, body] = await user.addBank({ isPrimary: true, accountNumber: '123-456 7890' });
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      data: {
        token_bank_id: expect.any(Number),
        bank_name: 'Bank Central Asia',
        bank_code: 'BCA',
        bank_account_number: '1234567890',
        bank_account_name: 'Budi Santoso',
        is_primary: true,
        status: 'ACTIVE',
      },
      message: 'Bank account added successfully',
    },
  ]);
  const second = await user.bank({ bankCode: 'bni', accountNumber: '555666777' });
  const third = await user.bank({ accountNumber: '999888777', isPrimary: true });
  const list = async () => (await user.call('GET /idrtoken/banks/list'))[1].data;
  expect((await list()).map((bank: { token_bank_id: number }) => bank.token_bank_id)).toEqual([
    third,
    body.data.token_bank_id,
    second,
  ]);
  expect((await list()).filter((bank: { is_primary: boolean }) => bank.is_primary)).toMatchObject([
    { token_bank_id: third, created_at: expect.any(String) },
  ]);
  expect(await remove(user, second)).toEqual([
    200,
    { success: true, message: 'Bank account deleted successfully' },
  ]);
  expect(await list()).toHaveLength(2);
  expect((await remove(user, second))[0]).toBe(404);
  const kept = await run(h.db, 'select status from idr_bank_accounts where token_bank_id = $1', [
    second,
  ]);
  expect(kept).toEqual([{ status: 'INACTIVE' }]);
  // What was ended may be begun again.
  expect((await user.addBank({ bankCode: 'BNI', accountNumber: '555666777' }))[0]).toBe(200);
});

test('neither the primary nor the last account can be deleted', async () => {
  const user = await someone();
  const only = await user.bank();
  const refused = [
    400,
    { success: false, error: 'Cannot delete primary bank or last remaining bank' },
  ];
  expect(await remove(user, only)).toMatchObject(refused);
  const primary = await user.bank({ accountNumber: '77777777', isPrimary: true });
  expect(await remove(user, primary)).toMatchObject(refused);
  expect((await remove(user, only))[0]).toBe(200);
});

test('the last two accounts are not both deleted at once', async () => {
  const user = await someone();
  const two = [await user.bank(), await user.bank({ accountNumber: '77777777' })];
  const ended = await Promise.all(two.map((one) => remove(user, one)));
  expect(ended.map(([status]) => status).sort()).toEqual([200, 400]);
});

test('one of ten concurrent primary accounts becomes primary', async () => {
  const user = await someone();
  const numbers = Array.from({ length: 10 }, (_, i) => `1000000${i}`);
  const added = numbers.map((accountNumber) => user.bank({ accountNumber, isPrimary: true }));
  await Promise.all(added);
  const [, { data }] = await user.call('GET /idrtoken/banks/list');
  expect(data.filter((bank: { is_primary: boolean }) => bank.is_primary)).toHaveLength(1);
});

test('a user can neither see nor deactivate another’s account', async () => {
  const user = await someone();
  const [mine] = [await user.bank(), await user.bank({ accountNumber: '77777777' })];
  const stranger = await someone();
  expect(await remove(stranger, mine)).toMatchObject([404, { success: false }]);
  expect((await stranger.call('GET /idrtoken/banks/list'))[1]).toEqual({ success: true, data: [] });
});

test.each([['bankName'], ['bankCode'], ['accountNumber'], ['accountName']])(
  'without %s the contract’s message tells what is required',
  async (field) => {
    const user = await someone();
    expect(await user.addBank({ [field]: undefined })).toMatchObject([
      400,
      {
        success: false,
        error: 'Missing required fields: bankName, bankCode, accountNumber, accountName',
        details: [{ field, message: 'is required' }],
      },
    ]);
  },
);

test('an account is registered once, also by concurrent requests', async () => {
  const user = await someone();
  const both = await Promise.all([user.addBank(), user.addBank()]);
  expect(both.map(([status]) => status).sort()).toEqual([200, 409]);
});

test('the account name must be the verified name, else the username', async () => {
  const user = await someone({ username: 'Siti Rahma', ekyc_status: 'APPROVED' });
  expect((await user.addBank({ accountName: 'SITI RAHMA' }))[0]).toBe(200);
  await run(h.db, `update verifications set verified_name = 'Siti Rahmawati' where user_id = $1`, [
    user.as.user_id,
  ]);
  expect(
    await user.addBank({ accountName: 'Siti Rahma', accountNumber: '88888888' }),
  ).toMatchObject([
    400,
    { error: 'accountName must match the registered name', details: [{ field: 'accountName' }] },
  ]);
  const verified = { accountName: 'Rahmawati, Siti', accountNumber: '88888888' };
  expect((await user.addBank(verified))[0]).toBe(200);
});

test('a user can have fifty accounts', async () => {
  const user = await someone();
  await run(
    h.db,
    `insert into idr_bank_accounts
       (user_id, bank_name, bank_code, bank_account_number, bank_account_name)
     select $1, 'Bank', 'BCA', 10000000 + n, 'Somebody' from generate_series(1, 50) n`,
    [user.as.user_id],
  );
  expect(await user.addBank()).toMatchObject([400, { code: 'LIMIT_EXCEEDED' }]);
});

test('the audit log has accounts without their numbers', async () => {
  const user = await someone();
  await user.bank({ accountNumber: '4455667788' });
  const rows = await run<{ action: string; details: object }>(
    h.db,
    'select action, details from activity_log where subject_user_id = $1',
    [user.as.user_id],
  );
  expect(rows).toMatchObject([
    { action: 'IDR_BANK_ADDED', details: { bank_account_last4: '7788' } },
  ]);
  expect(JSON.stringify(rows)).not.toContain('4455667788');
  expect(h.logs.join('')).not.toContain('4455667788');
});

test.each([
  ['budi santoso', 'Budi Santoso'],
  ['SANTOSO BUDI', 'Budi Santoso'],
  ['Budi S. Wijaya', 'Budi Santoso Wijaya'],
  ['B.J. Habibie', 'Bacharuddin Jusuf Habibie'],
  ['Dr. Budi Santoso, S.E., M.M.', 'Budi Santoso'],
  ['H. Budi Santoso', 'Ir Budi Santoso'],
  ['José Núñez', 'Jose Nunez'],
  ['Nur’aini', 'Nuraini'],
  ['Abdul Rahman', 'Abdulrahman'],
  ['I Made Wijaya', 'I Made Wijaya'],
  ['user-7', 'user-7'],
  ['NGUYEN VAN DUC', 'Nguyễn Văn Đức'],
  ['OYSTEIN AETHER', 'Øystein Æther'],
  ['LUKASZ STRASSE', 'Łukasz Straße'],
  ['YILDIZ ISIK', 'Yıldız Işık'],
  ['GUDMUNDUR THORSSON', 'Guðmundur Þórsson'],
  ['SUHARTO', 'Suharto Suharto'],
  ['MUH RIZKY', 'Muhammad Rizky'],
  ['MOCH. RIZKY', 'Mochamad Rizky'],
  ['M. RIZKY', 'Muhammad Rizky'],
])('an account of %s is that of %s', (account, registered) => {
  expect(isNameOf(account, registered)).toBe(true);
  expect(isNameOf(registered, account)).toBe(true);
});

test.each([
  ['Budi', 'Budi Santoso'],
  ['Budi Santoso Wijaya', 'Budi Santoso'],
  ['Budi Santosa', 'Budi Santoso'],
  ['B S', 'Budi Santoso'],
  ['Budi W.', 'Budi Santoso'],
  ['Budi Budi', 'Budi Santoso'],
  ['S Siti', 'Siti Budi'],
  ['...', 'Budi Santoso'],
  ['', 'Budi'],
  ['MUH', 'Muhammad'],
  ['Muh Rizky', 'Muhtar Rizky'],
  ['Muhammad Rizky', 'Mohamad Rizky'],
  ['Siti Rahma', 'Siti Rahmawati'],
  ['Suharto Suharto', 'Suharto Budi'],
])('an account of %s is not that of %s', (account, registered) => {
  expect(isNameOf(account, registered)).toBe(false);
  expect(isNameOf(registered, account)).toBe(false);
});

test('a name that a bank has cut within its last word matches the registered one', () => {
  expect(isNameOf('ABDURRAHMAN WAHI', 'Abdurrahman Wahid')).toBe(true);
  expect(isNameOf('Abdurrahman Wahid', 'ABDURRAHMAN WAHI')).toBe(false);
  expect(isNameOf('ABDURRAHMAN WA', 'Abdurrahman Wahid')).toBe(false);
  expect(isNameOf('WAHI ABDURRAHMAN', 'Abdurrahman Wahid')).toBe(false);
  expect(isNameOf('ABDURRAHMAN', 'Abdurrahman Wahid')).toBe(false);
});

const word = fc.stringMatching(/^[b-hj-z]{4,10}$/);

test('case, blanks and titles never matter, and another word always does', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 2, maxLength: 4 }),
      word,
      fc.constantFrom('Dr.', 'Hj.', 'Ir.'),
      (words, other, title) => {
        fc.pre(!words.includes(other) && isNameOf(words.join(' '), words.join(' ')));
        const name = words.join(' ');
        expect(isNameOf(`${title} ${name.toUpperCase().replaceAll(' ', '   ')} `, name)).toBe(true);
        expect(isNameOf([...words.slice(0, -1), `${other}a`].join(' '), name)).toBe(false);
        expect(isNameOf(`${name} ${other}`, name)).toBe(false);
      },
    ),
  );
});
