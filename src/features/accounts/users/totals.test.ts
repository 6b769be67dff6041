import { beforeEach, expect, test } from 'vitest';
import { type Fiat, openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { hold, type Leg, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();
beforeEach(() => h.sandbox('DELETE', '/faults'));

let serial = 0;
const post = (legs: Leg[]) => {
  serial += 1;
  return transact(h.db, (tx) => postWithin(tx, { key: `t:${serial}`, kind: 'test', legs }));
};
const houseOf = (asset: Fiat) => openAccount(h.db, houseAccount('test', asset));
const accountOf = async ({ user_id }: Person, asset: Fiat) =>
  (await openWallet(h.db, user_id, asset)).wallet.account_id;
const give = async (person: Person, asset: Fiat, units: bigint) =>
  post(transfer(await houseOf(asset), await accountOf(person, asset), units));
const list = async (as: Person) => (await h.call('GET /users/users', { as }))[1];
const arm = (kind: string, fields: object = {}) =>
  h.sandbox('POST', '/faults', { provider: 'fx', kind, times: 1000, ...fields });
/** So long that every cached rate has expired. */
const forgetRates = () => h.advance(3600);

test('all three totals cover all fiat wallets, the sums in the client’s currency', async () => {
  const { client_id } = await h.client({ country_code: 'ID' });
  const admin = await h.user({ client_id, role: 'admin' });
  const [rich, poor] = [await h.user({ client_id }), await h.user({ client_id })];
  const [house, account] = [await houseOf('IDR'), await accountOf(rich, 'IDR')];
  const [usd, dollars] = [await houseOf('USD'), await accountOf(rich, 'USD')];
  await post(transfer(house, account, 150_000_00n));
  await post(transfer(account, house, 50_000_50n));
  // A hold is no transaction.
  await post(hold(account, 10n));
  await post(transfer(usd, dollars, 7n));
  await post([...transfer(account, house, 100n), ...transfer(usd, dollars, 1n)]);
  const shown = (person: Person, fields: object) => ({
    user_id: person.user_id,
    email: person.email,
    username: person.username,
    client_id,
    user_status: 'ACTIVE',
    ekyc_status: 'Not yet Submit',
    ...fields,
  });
  const nothing = {
    transactions_count: 0,
    total_volume: '0.00 IDR',
    total_balance: '0.00 IDR',
    held: '0.00',
    available: '0.00',
  };
  expect(await list(admin)).toEqual([
    shown(poor, nothing),
    shown(rich, {
      // Each wallet's statement shows its movements: three lines and two.
      transactions_count: 5,
      // 200001.50 and 0.08 dollars at 15875.5; 99998.50 and the same.
      total_volume: '201271.54 IDR',
      total_balance: '101268.54 IDR',
      held: '0.10',
      available: '101268.44',
    }),
    shown(admin, nothing),
  ]);
});

test('the available totals can be spent, and no unit more', async () => {
  const { client_id } = await h.client({ country_code: 'ID' });
  const admin = await h.user({ client_id, role: 'admin' });
  await give(admin, 'IDR', 500n);
  const [house, account] = [await houseOf('IDR'), await accountOf(admin, 'IDR')];
  await post(hold(account, 120n));
  expect(await list(admin)).toMatchObject([
    { total_balance: '5.00 IDR', held: '1.20', available: '3.80' },
  ]);
  await expect(post(transfer(account, house, 381n))).rejects.toThrow();
  await post(transfer(account, house, 380n));
  expect(await list(admin)).toMatchObject([
    { total_balance: '1.20 IDR', held: '1.20', available: '0.00' },
  ]);
});

test('less than a unit is dropped, and a currency without decimals has none', async () => {
  const { client_id } = await h.client({ country_code: 'VN' });
  const admin = await h.user({ client_id, role: 'admin' });
  await give(admin, 'VND', 5n);
  await give(admin, 'AUD', 1n);
  // A cent of 25410 / 1.5301 dong: 166.06.
  expect(await list(admin)).toMatchObject([
    { total_volume: '171 VND', total_balance: '171 VND', transactions_count: 2 },
  ]);
});

test('one set of rates serves a whole list of users and currencies', async () => {
  const operator = await h.operator();
  for (const country_code of ['US', 'SG', 'AU', 'IN']) {
    const { client_id } = await h.client({ country_code });
    for (const asset of ['IDR', 'USD', 'VND'] as const)
      await give(await h.user({ client_id }), asset, 1_000_000n);
  }
  await forgetRates();
  await arm('delay', { ms: 1 });
  const shown = await list(operator);
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((row: object) => 'unconverted' in row)).toEqual([]);
  expect(await h.sandbox('GET', '/faults')).toMatchObject([{ times: 999 }]);
});

test.each([
  ['refuse', {}],
  ['drop', {}],
  ['error', {}],
  ['delay', { ms: 60_000 }],
])(
  'missing rates (%s) leave their currencies out, and the answer says so',
  async (kind, fields) => {
    const { client_id } = await h.client({ country_code: 'SG' });
    const admin = await h.user({ client_id, role: 'admin' });
    const traveller = await h.user({ client_id });
    await give(traveller, 'SGD', 1_50n);
    await give(traveller, 'USD', 1_00n);
    await give(traveller, 'AUD', 1_00n);
    await give(admin, 'SGD', 2_00n);
    // No rate is needed for a wallet that has never been used.
    await accountOf(admin, 'USD');
    await forgetRates();
    await arm(kind, fields);
    const { status, body } = await h.send('GET /users/users', { as: admin });
    expect(status).toBe(200);
    expect(body).toMatchObject([
      {
        user_id: traveller.user_id,
        transactions_count: 3,
        total_volume: '1.50 SGD',
        total_balance: '1.50 SGD',
        unconverted: ['AUD', 'USD'],
      },
      { user_id: admin.user_id, transactions_count: 1, total_balance: '2.00 SGD' },
    ]);
    expect(body[1]).not.toHaveProperty('unconverted');
  },
);
