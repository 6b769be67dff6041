import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { cardUser } from '#test/cards.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const user = await cardUser(h, await h.user());
const [, { data: paid }] = await user.topUp(25);

/** Copies of a stored top-up with references of their own, the last of them with one other column. */
const copies = (count: number, changed: Readonly<Record<string, unknown>>) =>
  run(
    h.db,
    `insert into card_transactions overriding system value
     select (jsonb_populate_record(t, jsonb_build_object('operation', gen_random_uuid(),
         'id', t.id + 1000 + n, 'rrn', lpad((t.rrn::bigint + n)::text, 12, '0'),
         'reference_id', 'COPY-' || translate(gen_random_uuid()::text, '0123456789abcdef-', 'ABCDEFGHJKLMNPQR'))
       || case when n = $2::int then $3::jsonb else '{}' end)).*
     from card_transactions t, generate_series(1, $2::int) n where t.reference_id = $1`,
    [paid.reference_id, count, JSON.stringify(changed)],
  );
const stored = async () =>
  (await run<{ n: number }>(h.db, 'select count(*)::int as n from card_transactions', []))[0]?.n;

test('unchanged copies are stored', async () => {
  const before = (await stored()) ?? 0;
  await copies(3, {});
  expect(await stored()).toBe(before + 3);
  await run(h.db, `delete from card_transactions where reference_id like 'COPY-%'`, []);
});

test('a row without its wallet is refused with all rows of its insert', async () => {
  const before = await stored();
  for (const count of [1, 3])
    await expect(copies(count, { wallet_id: 987_654 })).rejects.toMatchObject({
      code: '23503',
      constraint: 'card_transactions_wallet_id_fkey',
    });
  expect(await stored()).toBe(before);
});

test.each([
  ['card_fingerprint', ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), `${'a'.repeat(63)}\n`]],
  ['rrn', ['63260000001', '6326000000012', '63260000000x', '']],
  ['transaction_identifier', ['', '1'.repeat(21), '12 3']],
  ['status', ['', 'a', '_A', `A${'_'.repeat(40)}`, 'Ab', 'A\n', '4111 1111 1', '123456789']],
])('an invalid %s is refused', async (column, wrong) => {
  for (const value of wrong)
    await expect(copies(1, { [column]: value }), value).rejects.toMatchObject({
      code: '23514',
      constraint: `card_transactions_${column}_check`,
    });
});

test('a wallet stays and keeps its number, and a row its wallet', async () => {
  for (const text of [
    'delete from fiat_wallets where false',
    'truncate fiat_wallets cascade',
    'update fiat_wallets set wallet_id = default where false',
    'update card_transactions set wallet_id = wallet_id',
  ])
    await expect(run(h.db, text, []), text).rejects.toMatchObject({ code: '42501' });
});
