import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { banking, codeOf, type Holder } from '#test/banking.ts';
import { type Body, harness } from '#test/harness.ts';
import { monitorsWithNews } from './store.ts';
import { WATCH_LIMITS, watchBalances } from './watch.ts';

const h = await harness();
const { client_id } = await h.client();
const { holder, give, post, send } = banking(h);
const payee = await holder(client_id);
const { signal } = new AbortController();

const add = (as: Holder, body: object): Promise<[number, Body]> =>
  h.call('POST /wallets/fiat/{wallet_id}/monitors', {
    as,
    params: { wallet_id: as.wallet_id },
    body,
  });
const list = async (as: Holder): Promise<Body[]> => {
  const params = { wallet_id: as.wallet_id };
  const [, { data }] = await h.call('GET /wallets/fiat/{wallet_id}/monitors', { as, params });
  return data.items;
};
const remove = (as: Holder, monitor_id: string, wallet_id = as.wallet_id) =>
  h.call('DELETE /wallets/fiat/{wallet_id}/monitors/{monitor_id}', {
    as,
    params: { wallet_id, monitor_id },
  });

async function added(as: Holder, field: string, op: string, amount: string): Promise<string> {
  const [status, { data }] = await add(as, { field, op, amount });
  expect([status, data.field, data.op, data.amount]).toEqual([201, field, op, amount]);
  return data.monitor_id;
}

/** Takes money out of a wallet, without a fee. */
async function pay(from: Holder, amount: string): Promise<void> {
  const [status] = await send(from, { to: { wallet_id: payee.wallet_id }, amount });
  expect(status).toBe(201);
}

/** The crossings of a monitor that were emitted, in their order: what was available after each. */
async function emitted(monitor_id: string): Promise<string[]> {
  await h.kernel.events.settle();
  const rows = await run<{ available: string }>(
    h.db,
    `select data->>'available' as available from events.log
     where type = 'wallet.threshold_crossed' and data->>'monitor_id' = $1 order by position`,
    [monitor_id],
  );
  return rows.map(({ available }) => available);
}

const look = async (limits = WATCH_LIMITS) => {
  await h.kernel.events.settle();
  await watchBalances(h.db, { signal, limits });
};
async function crossings(monitor_id: string): Promise<string[]> {
  await look();
  return emitted(monitor_id);
}

test('a balance that goes below an amount is one event, however often it is looked at', async () => {
  const owner = await holder(client_id, '100.00');
  const id = await added(owner, 'available', 'below', '50.00');
  await pay(owner, '20.00');
  expect(await crossings(id)).toEqual([]);
  await pay(owner, '35.00');
  const first = await crossings(id);
  expect(first).toHaveLength(1);
  await pay(owner, '5.00');
  expect(await crossings(id)).toEqual(first);
  expect(await crossings(id)).toEqual(first);
  expect(await list(owner)).toEqual([
    expect.objectContaining({ monitor_id: id, state: 'crossed', crossings: 1 }),
  ]);
});

test('a balance that goes above an amount is one event; the amount itself is not above it', async () => {
  const owner = await holder(client_id, '10.00');
  const id = await added(owner, 'posted', 'above', '50.00');
  await give(owner.user_id, '40.00');
  expect(await crossings(id)).toEqual([]);
  await give(owner.user_id, '0.01');
  await give(owner.user_id, '7.00');
  expect(await crossings(id)).toEqual(['50.01']);
});

test('a condition that holds when it is asked for is crossed after it has ceased to hold', async () => {
  const owner = await holder(client_id, '10.00');
  const id = await added(owner, 'posted', 'below', '50.00');
  expect((await list(owner))[0]).toMatchObject({ state: 'crossed', crossings: 0 });
  await give(owner.user_id, '1.00');
  expect(await crossings(id)).toEqual([]);
  await give(owner.user_id, '60.00');
  await pay(owner, '30.00');
  expect(await crossings(id)).toHaveLength(1);
});

test('each crossing back and forth between two looks is one event', async () => {
  const owner = await holder(client_id, '40.00');
  const below = await added(owner, 'posted', 'below', '35.00');
  const above = await added(owner, 'posted', 'above', '55.00');
  for (let n = 0; n < 3; n += 1) {
    await pay(owner, '10.00');
    await give(owner.user_id, '30.00');
    await pay(owner, '18.00');
  }
  // Fees are in it, so that the entries say what there was.
  const rows = await run<{ posted: bigint }>(
    h.db,
    `select posted_after as posted from ledger.entries e where account_id = $1 and seq > 1 and not exists (
       select from ledger.entries n where n.account_id = e.account_id and n.seq = e.seq + 1
         and n.transfer_id = e.transfer_id) order by seq`,
    [owner.account_id],
  );
  const balances = [4000n, ...rows.map(({ posted }) => posted)];
  const changes = (is: (units: bigint) => boolean) =>
    balances.filter((units, n) => n > 0 && is(units) && !is(balances[n - 1] ?? 0n)).length;
  expect(changes((units) => units < 3500n)).toBeGreaterThan(1);
  expect(await crossings(below)).toHaveLength(changes((units) => units < 3500n));
  expect(await crossings(above)).toHaveLength(changes((units) => units > 5500n));
});

test('what is set aside is not available, and is posted still', async () => {
  const owner = await holder(client_id, '100.00');
  const available = await added(owner, 'available', 'below', '50.00');
  const posted = await added(owner, 'posted', 'below', '50.00');
  const [status] = await post('POST /wallets/fiat/{wallet_id}/holds', owner, {
    params: { wallet_id: owner.wallet_id },
    body: { to: { wallet_id: payee.wallet_id }, amount: '60.00' },
  });
  expect(status).toBe(201);
  expect(await crossings(available)).toHaveLength(1);
  expect(await crossings(posted)).toEqual([]);
});

test('twenty movements at once, looked at by several processes in small steps, cross once', async () => {
  const owner = await holder(client_id, '100.00');
  const ids: string[] = [];
  for (const amount of ['80.00', '60.00', '40.00', '25.00'])
    ids.push(await added(owner, 'posted', 'below', amount));
  const small = { events: 2, atOnce: 1, entries: 3 };
  const paying = Array.from({ length: 20 }, () => pay(owner, '4.00'));
  const looking = Array.from({ length: 4 }, () => look(small));
  await Promise.all([...paying, ...looking]);
  await Promise.all(Array.from({ length: 4 }, () => look(small)));
  for (const id of ids) expect(await crossings(id)).toHaveLength(1);
});

test('a look that dies before its end leaves everything for the next one', async () => {
  const owner = await holder(client_id, '100.00');
  const id = await added(owner, 'posted', 'below', '50.00');
  await pay(owner, '60.00');
  await run(
    h.db,
    `create function fail_outbox() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
    [],
  );
  await run(
    h.db,
    `create trigger fail_outbox before insert on events.outbox for each row
     when (new.type = 'wallet.threshold_crossed') execute function fail_outbox()`,
    [],
  );
  await expect(look()).rejects.toThrow('killed');
  await run(h.db, 'drop trigger fail_outbox on events.outbox', []);
  expect((await list(owner))[0]).toMatchObject({ state: 'armed', crossings: 0 });
  expect(await crossings(id)).toHaveLength(1);
});

test('the schedule looks every ten seconds', async () => {
  const owner = await holder(client_id, '100.00');
  const id = await added(owner, 'posted', 'below', '50.00');
  await pay(owner, '60.00');
  await h.kernel.events.settle();
  for (let n = 0; n < 2; n += 1) {
    await h.advance(11);
    await h.drain();
  }
  expect(await emitted(id)).toHaveLength(1);
});

test('a monitor that is added while its wallet moves misses nothing', async () => {
  const owner = await holder(client_id, '100.00');
  const paying = Array.from({ length: 8 }, () => pay(owner, '5.00'));
  const adding = ['70.00', '80.00', '90.00'].map((amount) =>
    added(owner, 'posted', 'below', amount),
  );
  const looking = Array.from({ length: 4 }, () => look({ events: 3, atOnce: 1, entries: 3 }));
  const [ids] = await Promise.all([Promise.all(adding), Promise.all(paying), Promise.all(looking)]);
  await look();
  const items = await list(owner);
  for (const id of ids)
    expect(items.find(({ monitor_id }) => monitor_id === id)).toMatchObject({ state: 'crossed' });
});

test('a look reads only what has come since the last one', async () => {
  await look();
  expect(await monitorsWithNews(h.db, 10)).toMatchObject({ looked: 0, upto: null, serials: [] });
});

test('a wallet has at most ten monitors, however many are added at once', async () => {
  const owner = await holder(client_id);
  const body = { field: 'posted', op: 'above', amount: '1.00' };
  const all = await Promise.all(Array.from({ length: 20 }, () => add(owner, body)));
  expect(all.filter(([status]) => status === 201)).toHaveLength(10);
  const refused = all.filter(([status]) => status !== 201);
  expect(new Set(refused.map((answer) => codeOf(answer).join(' ')))).toEqual(
    new Set(['409 LIMIT_EXCEEDED']),
  );
  const items = await list(owner);
  expect(items).toHaveLength(10);
  expect((await remove(owner, items[0]?.monitor_id))[0]).toBe(200);
  expect((await add(owner, body))[0]).toBe(201);
});

test('a monitor that was deleted is gone, and emits nothing more', async () => {
  const owner = await holder(client_id, '100.00');
  const id = await added(owner, 'posted', 'below', '50.00');
  expect((await remove(owner, id))[1].data).toMatchObject({ monitor_id: id });
  expect(codeOf(await remove(owner, id))).toEqual([404, 'NOT_FOUND']);
  expect(await list(owner)).toEqual([]);
  await pay(owner, '60.00');
  expect(await crossings(id)).toEqual([]);
});

test('the wallets and monitors of others do not exist', async () => {
  const owner = await holder(client_id, '10.00');
  const id = await added(owner, 'posted', 'below', '5.00');
  const foreign = await holder((await h.client()).client_id);
  const params = { wallet_id: owner.wallet_id };
  const body = { field: 'posted', op: 'below', amount: '5.00' };
  for (const as of [payee, foreign]) {
    const tries = [
      await h.call('POST /wallets/fiat/{wallet_id}/monitors', { as, params, body }),
      await h.call('GET /wallets/fiat/{wallet_id}/monitors', { as, params }),
      await remove(as, id, owner.wallet_id),
    ];
    for (const answer of tries) expect(codeOf(answer)).toEqual([404, 'WALLET_NOT_FOUND']);
    expect(codeOf(await remove(as, id))).toEqual([404, 'NOT_FOUND']);
  }
  expect(await list(owner)).toHaveLength(1);
});

test.each([
  { field: 'held', op: 'below', amount: '1.00' },
  { field: 'posted', op: 'equals', amount: '1.00' },
  { field: 'posted', op: 'below', amount: '0' },
  { field: 'posted', op: 'below', amount: '1.001' },
])('%j is refused', async (body) => {
  expect(codeOf(await add(payee, body))).toEqual([400, 'VALIDATION_ERROR']);
});
