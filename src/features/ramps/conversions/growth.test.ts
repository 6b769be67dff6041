import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { converting, giveRupiah } from '#test/conversions.ts';
import { harness } from '#test/harness.ts';
import { sent } from '#test/statements.ts';
import { dayInJakarta, listCandidates, listEligible } from './daily-store.ts';
import { MIN_AMOUNT } from './terms.ts';

const h = await harness();
const eligible = async () =>
  listEligible(
    h.db,
    {},
    {
      day: await dayInJakarta(h.db),
      after: 0,
      least: MIN_AMOUNT,
      limit: 200,
    },
  );
const candidates = () => listCandidates(h.db, {}, { before: undefined, limit: 51 });

/** So many people with a primary wallet for what is converted, and a wallet in rupiah with nothing in it. */
async function empty(people: number): Promise<void> {
  const { client_id } = await h.client({ country_code: 'ID' });
  await run(
    h.db,
    `with people as (
       insert into users (client_id, username, email, phone, role)
       select $1::int, 'empty-' || n, 'empty-' || n || '@example.test', '+62', 'user'
       from generate_series(1, $2::int) n returning user_id
     ), accounts as (
       insert into ledger.accounts (owner, purpose, asset)
       select 'user:' || user_id, 'wallet', 'IDR' from people
       returning account_id, ledger.user_of(owner) as user_id
     ), wallets as (
       insert into fiat_wallets (user_id, currency, account_id)
       select user_id, 'IDR', account_id from accounts
     )
     insert into exchange_wallets (user_id, network, wallet_address, is_primary)
     select user_id, 'POLYGON', '0x' || lpad(to_hex(user_id), 40, '0'), true from people`,
    [client_id, people],
  );
  for (const table of ['users', 'ledger.accounts', 'fiat_wallets', 'exchange_wallets'])
    await run(h.db, `analyze ${table}`, []);
}

/** The rows of accounts that the last statement about them has looked at. */
async function looked(values: readonly unknown[]): Promise<number> {
  const text = sent.findLast((one) => one.includes('to_convert')) ?? '';
  const plan = await run<Record<string, unknown>>(
    h.db,
    `explain (analyze, format json) ${text}`,
    values,
  );
  return rowsOf(plan);
}

function rowsOf(plan: unknown): number {
  if (typeof plan !== 'object' || plan === null) return 0;
  const node = plan as Readonly<Record<string, unknown>>;
  const rows = ['Actual Rows', 'Rows Removed by Filter'].map((name) => Number(node[name] ?? 0));
  const own = node['Relation Name'] === undefined ? 0 : rows.reduce((a, b) => a + b, 0);
  return Object.values(plan).reduce<number>((sum, part) => sum + rowsOf(part), own);
}

test('users without rupiah to convert are not read, in any number', async () => {
  const some = await converting(h, { rupiah: '250000' });
  await converting(h, { rupiah: '199999.99' });
  await empty(2000);
  const day = await dayInJakarta(h.db);

  expect((await eligible()).map(({ user_id }) => user_id)).toEqual([some.as.user_id]);
  // Whose rupiah they are, that person, their client and primary wallet.
  expect(await looked([0, String(MIN_AMOUNT), null, null, day, 200])).toBeLessThanOrEqual(4);
  expect(await candidates()).toHaveLength(2);
  expect(await looked([2 ** 31 - 1, null, null, 51])).toBeLessThanOrEqual(8);
});

test('a user with exactly the minimum is found while it may be spent', async () => {
  const { as } = await converting(h, { rupiah: '199999.99' });
  const isFound = async () => (await eligible()).some(({ user_id }) => user_id === as.user_id);
  expect(await isFound()).toBe(false);
  await giveRupiah(h, as.user_id, '0.01');
  expect(await isFound()).toBe(true);
  const wallets = await h.db
    .selectFrom('fiat_wallets')
    .select('wallet_id')
    .where('user_id', '=', as.user_id)
    .where('currency', '=', 'IDR')
    .executeTakeFirstOrThrow();
  const [status] = await h.call('POST /exchange/disbursement/start', {
    as,
    body: { ...wallets, amount_idr: 200_000 },
  });
  expect(status).toBe(200);
  expect(await isFound()).toBe(false);
});
