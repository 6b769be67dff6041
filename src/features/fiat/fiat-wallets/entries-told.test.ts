import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, transfer } from '#kernel/ledger/ledger.ts';
import { postAllWithin, postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import { happened } from '#test/events.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const house = await openAccount(h.db, houseAccount('test-funds', 'USD'));

interface Entry {
  readonly id: string;
  readonly client_id: number;
  readonly type: string;
  readonly amount: string | null;
  readonly balance: string | null;
}

/** Events of the log after a position. */
const toldSince = (position: number): Promise<Entry[]> =>
  run<Entry>(
    h.db,
    `select object_id as id, client_id, type, data->>'amount' as amount, data->>'balance_after' as balance
       from events.log where position > $1 order by position`,
    [position],
  );

/** Moves all events to the log, and answers its head. */
async function settled(): Promise<number> {
  await h.kernel.events.settle();
  const [head] = await run<{ position: number }>(h.db, 'select position from events.head', []);
  return head?.position ?? 0;
}

/** A user's wallet in dollars, and its account. */
async function walletOf(user_id: number) {
  const [row] = await run<{ wallet_id: number; account_id: number }>(
    h.db,
    `select wallet_id, account_id from fiat_wallets where user_id = $1 and currency = 'USD'`,
    [user_id],
  );
  if (!row) throw new Error(`User ${user_id} has no wallet in dollars`);
  return row;
}

const operation = (key: string, legs: Leg[]) => ({ key, kind: 'test', legs });

test('a transfer emits an event for each wallet it moves, in the order of its entries', async () => {
  const [payer, payee] = [await h.user(), await h.user()];
  const [from, to] = [await walletOf(payer.user_id), await walletOf(payee.user_id)];
  const since = await settled();
  await transact(h.db, async (tx) => {
    emit(tx, happened, { client_id: payer.client_id, id: 'cause', data: { writer: 1, nth: 1 } });
    await postAllWithin(tx, [
      operation('told-1', transfer(house, from.account_id, 5000n)),
      operation('told-2', transfer(from.account_id, to.account_id, 1250n)),
    ]);
  });
  await settled();
  const own = { client_id: payer.client_id, id: String(from.wallet_id) };
  const other = { client_id: payee.client_id, id: String(to.wallet_id) };
  const told = await toldSince(since);
  expect(told[0]).toMatchObject({ type: 'test.happened', id: 'cause' });
  expect(told.slice(1)).toEqual([
    { ...own, type: 'wallet.credited', amount: '50.00', balance: '50.00' },
    { ...own, type: 'wallet.debited', amount: '-12.50', balance: '37.50' },
    { ...other, type: 'wallet.credited', amount: '12.50', balance: '12.50' },
  ]);
});

test('a transfer between house accounts emits nothing and delays no event', async () => {
  const other = await openAccount(h.db, houseAccount('test-fees', 'USD'));
  const since = await settled();
  await transact(h.db, (tx) => postWithin(tx, operation('house', transfer(house, other, 1n))));
  expect(await settled()).toBe(since);
  expect(await run(h.db, 'select from events.outbox', [])).toEqual([]);
});

test('entries that an earlier version has emitted itself are moved with the others', async () => {
  const user = await h.user();
  const wallet = await walletOf(user.user_id);
  const since = await settled();
  const posted = await transact(h.db, async (tx) => {
    const { transfer_id } = await postWithin(
      tx,
      operation('new', transfer(house, wallet.account_id, 300n)),
    );
    // As that version did, at the end of its own transaction.
    await run(
      tx,
      `insert into events.outbox (client_id, user_id, type, schema_version, object_type, object_id, data, at, actor)
       select w.client_id, w.user_id, w.type, 1, 'wallet', w.wallet_id::text, w.data, service_now(), 'nobody'
         from unnest($1::bigint[]) as p (transfer_id) join events.wallet_entries w using (transfer_id)`,
      [[transfer_id]],
    );
    return transfer_id;
  });
  expect(posted).toBeGreaterThan(0);
  await settled();
  const credited = {
    id: String(wallet.wallet_id),
    client_id: user.client_id,
    type: 'wallet.credited',
    amount: '3.00',
    balance: '3.00',
  };
  expect(await toldSince(since)).toEqual([credited, credited]);
});

test('a row of the outbox is an event or a transfer, and nothing between', async () => {
  const half = (columns: string, values: string) =>
    run(
      h.db,
      `insert into events.outbox (at, actor, ${columns}) values (service_now(), 'nobody', ${values})`,
      [],
    );
  await expect(half('client_id', '1')).rejects.toThrow('outbox_tells');
  await expect(half('transfer_id, client_id', '1, 1')).rejects.toThrow('outbox_tells');
});
