import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { done } from '#kernel/provider-call.ts';
import { transact } from '#kernel/transact.ts';
import {
  armPlaid,
  booksHold,
  houseCents,
  linkedUser,
  plaidTransfersOf,
  settleAll,
} from '#test/bank-link.ts';
import { bankParts, placeOf } from '#test/bank-link-parts.ts';
import { used } from '#test/budgets.ts';
import { cardUser } from '#test/cards.ts';
import { harness } from '#test/harness.ts';
import { bookTransfer } from './booking.ts';
import { keepEvents } from './event-store.ts';
import { bankRail } from './rail.ts';

const masterKey = `1:${randomBytes(32).toString('base64')}`;
const h = await harness({ mock: false, masterKey, config: { JWT_TTL: '90000000' } });
await h.drain();

const linkedPerson = () => linkedUser(h);
const transfersOf = (reference: string) => plaidTransfersOf(h, reference);

afterEach(async () => {
  await h.sandbox('DELETE', '/faults');
  expect(await booksHold(h)).toEqual([]);
});

describe('a top-up', () => {
  test('is in the wallet when its transfer settles, and not before', async () => {
    const ada = await linkedPerson();
    const before = await houseCents(h, 'bank-link');
    const [status, answer] = await ada.topUp(25.5);
    expect([status, answer]).toEqual([
      200,
      {
        status: 'SUCCESS',
        transaction_id: expect.any(String),
        transaction: { type: 'TOPUP', status: 'PENDING' },
      },
    ]);
    expect(await transfersOf(answer.transaction_id)).toMatchObject([
      { data: { amount: '25.50', status: 'pending', legal_name: ada.as.username } },
    ]);
    await ada.step('posted');
    await h.drain();
    expect(await ada.balance()).toBe(0n);
    await ada.step('settled', 'funds_available');
    await h.drain();
    expect(await ada.balance()).toBe(25_50n);
    expect(await houseCents(h, 'bank-link')).toBe(before - 25_50n);
    expect(await ada.topUps()).toMatchObject([{ status: 'SUCCESS_RECEIVED', simulated: false }]);
    expect(await ada.logged()).toEqual(
      expect.arrayContaining(['BANK_TOPUP', 'BANK_TOPUP_SETTLED']),
    );
  });

  test('is one for an idempotency key, also of twenty concurrent requests', async () => {
    const ada = await linkedPerson();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.topUp(5, 'once')));
    for (const [status] of answers) expect([200, 409]).toContain(status);
    expect(await ada.topUp(5, 'once')).toMatchObject([200, { status: 'SUCCESS' }]);
    const [row] = await ada.topUps();
    expect(await ada.topUps()).toHaveLength(1);
    expect(await transfersOf(row.top_up_id)).toHaveLength(1);
    await settleAll(h);
    expect(await ada.balance()).toBe(5_00n);
  });

  test('is one for each of twenty concurrent requests, up to a limit in flight', async () => {
    const ada = await linkedPerson();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.topUp(1)));
    expect(answers.map(([status]) => status)).toEqual(Array(20).fill(200));
    expect(new Set((await ada.topUps()).map(({ transfer_id }) => transfer_id)).size).toBe(20);
    await settleAll(h);
    expect(await ada.balance()).toBe(20_00n);
    await h.kernel.pool.query(
      `insert into bank_top_ups (top_up_id, wallet_id, user_id, connection_id, account_id, amount,
         status, simulated)
       select gen_random_uuid(), wallet_id, user_id, connection_id, account_id, 1, 'PENDING', false
       from bank_top_ups, generate_series(1, 49) where top_up_id = $1`,
      [answers[0]?.[1].transaction_id],
    );
    const more = await Promise.all([ada.topUp('0.01'), ada.topUp('0.01')]);
    const refused = more.filter(([status]) => status === 400);
    expect(refused).toMatchObject([[400, { code: 'LIMIT_EXCEEDED' }]]);
  });

  test('has a limit in a day, and so do links', async () => {
    const ada = await linkedPerson();
    const one = { post: () => ada.topUp('0.01'), what: 'bank top-ups', most: 200 };
    const { wallet_id } = ada;
    const link = () => ada.post('link-token/create', { wallet_id });
    for (const { post, what, most } of [one, { post: link, what: 'bank links', most: 100 }]) {
      expect(await post()).toMatchObject([200, {}]);
      await used(h, `${what} by actor/1440m user:${ada.as.user_id}`, most);
      expect(await post()).toMatchObject([429, { status: 'FAILED', code: 'RATE_LIMITED' }]);
    }
    expect(await ada.topUps()).toHaveLength(1);
  });

  test('that the bank declines takes no money and answers the reason', async () => {
    const ada = await linkedPerson();
    expect(await ada.topUp('10000.01')).toMatchObject([
      400,
      {
        status: 'FAILED',
        code: 'PROVIDER_REJECTED',
        message: 'The bank account has insufficient funds',
      },
    ]);
    expect(await ada.topUps()).toMatchObject([{ status: 'FAILED', transfer_id: null }]);
  });

  test('that fails before it settles leaves no trace in the ledger', async () => {
    const ada = await linkedPerson();
    await ada.topUp(7);
    await ada.step('failed');
    await h.drain();
    expect(await ada.topUps()).toMatchObject([{ status: 'FAILED', failure: 'failed' }]);
    expect(await ada.balance()).toBe(0n);
  });

  test('continues after its bank was disconnected, as far as money is in flight', async () => {
    const ada = await linkedPerson();
    await ada.topUp(3);
    await ada.disconnect();
    await ada.step('posted', 'settled');
    await h.drain();
    expect(await ada.balance()).toBe(3_00n);
  });

  test('moves on by the sandbox call, which posts before it settles', async () => {
    const ada = await linkedPerson();
    const [, { transaction_id }] = await ada.topUp(4);
    const stranger = await linkedPerson();
    expect(await stranger.post('transfer', { transfer_id: transaction_id })).toMatchObject([
      400,
      { status: 'FAILED', message: 'Transfer not found' },
    ]);
    expect(await ada.post('transfer', { transfer_id: transaction_id })).toMatchObject([
      200,
      { data: { transfer_id: transaction_id, event_type: 'settled' } },
    ]);
    expect(await ada.post('transfer', { transfer_id: transaction_id })).toMatchObject([200, {}]);
    expect(
      await ada.post('transfer', { transfer_id: transaction_id, event_type: 'failed' }),
    ).toMatchObject([400, { code: 'PROVIDER_REJECTED' }]);
    await h.advance(600);
    await h.drain();
    expect(await ada.balance()).toBe(4_00n);
    const payment_id = `payment-id-sandbox-${randomUUID()}`;
    expect(await ada.post('payment', { payment_id })).toMatchObject([
      200,
      { data: { payment_id, status: 'COMPLETED' } },
    ]);
    expect(await ada.post('payment', { payment_id: 'none' })).toMatchObject([400, {}]);
  });
});

describe('a return', () => {
  test('takes the money back out of the wallet', async () => {
    const ada = await linkedPerson();
    const before = await houseCents(h, 'bank-link');
    await ada.topUp(30);
    await ada.step('posted', 'settled', 'returned');
    await h.drain();
    expect(await ada.balance()).toBe(0n);
    expect(await houseCents(h, 'bank-link')).toBe(before);
    expect(await ada.topUps()).toMatchObject([{ status: 'RETURNED', owed: 0n }]);
  });

  test('has a status by its id, and is a TOPUP in the statement of its wallet', async () => {
    const ada = await linkedPerson();
    const [, { transaction_id }] = await ada.topUp(30);
    const params = { transaction_id };
    const read = async (as = ada.as) =>
      h.call('GET /banklink/topup/{transaction_id}/status', { as, params });
    const pending = { type: 'TOPUP', status: 'PENDING', amount: '30.00', currency: 'USD' };
    expect(await read()).toMatchObject([200, { transaction_id, transaction: pending }]);
    expect((await read(await h.user()))[0]).toBe(404);
    await ada.step('posted', 'settled');
    await h.drain();
    const [, { transaction }] = await read();
    expect(transaction).toMatchObject({ status: 'SUCCESS_RECEIVED', returned_at: null });
    const { wallet_id } = transaction;
    const [, { data }] = await h.call('GET /wallets/fiat/{wallet_id}/transactions', {
      as: ada.as,
      params: { wallet_id },
    });
    expect(data.transactions).toMatchObject([{ tx_type: 'TOPUP', status: 'SUCCESS_RECEIVED' }]);
  });

  test('from a spent wallet leaves a debt, which the next money pays', async () => {
    const ada = await linkedPerson();
    const [provider, owed] = [
      await houseCents(h, 'bank-link'),
      await houseCents(h, 'bank-link-owed'),
    ];
    await ada.topUp(30);
    await ada.step('posted', 'settled');
    await h.drain();
    const card = cardUser(h, ada.as);
    expect(await card.push(20)).toMatchObject([200, {}]);
    await ada.step('returned');
    await h.drain();
    expect(await ada.balance()).toBe(0n);
    expect(await houseCents(h, 'bank-link')).toBe(provider);
    expect(await houseCents(h, 'bank-link-owed')).toBe(owed - 20_00n);
    expect(await ada.topUps()).toMatchObject([{ status: 'RETURNED', owed: 20_00n }]);
    const hour = async () => {
      await h.advance(3600);
      await h.drain();
    };
    await hour();
    expect(await houseCents(h, 'bank-link-owed')).toBe(owed - 20_00n);
    await card.topUp(10);
    await hour();
    expect([await ada.balance(), await houseCents(h, 'bank-link-owed')]).toEqual([
      0n,
      owed - 10_30n,
    ]);
    await card.topUp(100);
    await hour();
    expect(await ada.balance()).toBe(97_00n - 10_30n);
    expect(await houseCents(h, 'bank-link-owed')).toBe(owed);
    expect(await ada.topUps()).toMatchObject([{ owed: 0n }]);
  });

  test('keeps its owner from taking more from a bank until the debt is paid', async () => {
    const ada = await linkedPerson();
    await ada.topUp(30);
    await ada.step('posted', 'settled');
    await h.drain();
    const card = cardUser(h, ada.as);
    await card.push(20);
    await ada.step('returned');
    await h.drain();
    const before = await ada.topUps();
    expect(await ada.topUp(5)).toMatchObject([409, { code: 'DEBT_OUTSTANDING' }]);
    expect(await ada.topUps()).toEqual(before);

    await card.topUp(100);
    await h.advance(3600);
    await h.drain();
    expect(await ada.topUp(5)).toMatchObject([200, {}]);
  });

  test('takes no money that is held', async () => {
    const ada = await linkedPerson();
    await ada.topUp(30);
    await ada.step('posted', 'settled');
    await h.drain();
    await h.sandbox('POST', '/faults', { provider: 'card-network', kind: 'drop', times: 9 });
    await cardUser(h, ada.as).push(12);
    await ada.step('returned');
    await h.drain();
    expect(await ada.balance()).toBe(12_00n);
    expect(await ada.topUps()).toMatchObject([{ status: 'RETURNED', owed: 12_00n }]);
  });
});

describe('events', () => {
  const tell = async (
    transfer_id: string,
    told: readonly (readonly [event_id: number, event_type: string])[],
  ) => {
    const happened_at = h.clock.now().toISOString();
    for (const [event_id, event_type] of told) {
      const event = { event_id, event_type, transfer_id, amount: 9_00n, happened_at };
      await transact(h.db, (tx) => keepEvents(tx, [event]));
      await bookTransfer(h.db, transfer_id);
      await bookTransfer(h.db, transfer_id);
    }
  };
  let number = 1_000_000;
  const next = () => {
    number += 1;
    return number;
  };

  test.each([
    ['settled', 'returned'],
    ['returned', 'settled'],
    ['settled', 'funds_available', 'returned'],
    ['returned', 'posted', 'settled'],
  ])('has the same result for events in the order %s', async (...order: string[]) => {
    const ada = await linkedPerson();
    const before = await houseCents(h, 'bank-link');
    await ada.topUp(9);
    const [{ transfer_id }] = (await ada.topUps()) as [{ transfer_id: string }];
    await tell(
      transfer_id,
      order.map((type) => [next(), type] as const),
    );
    expect(await ada.topUps()).toMatchObject([{ status: 'RETURNED', owed: 0n, failure: null }]);
    expect(await ada.balance()).toBe(0n);
    expect(await houseCents(h, 'bank-link')).toBe(before);
  });

  test('of another sum is not booked', async () => {
    const ada = await linkedPerson();
    await ada.topUp(8);
    const [{ transfer_id }] = (await ada.topUps()) as [{ transfer_id: string }];
    await expect(tell(transfer_id, [[next(), 'settled']])).rejects.toThrow('another sum');
    expect(await ada.topUps()).toMatchObject([{ status: 'PENDING' }]);
    // The following tests need no person to decide about it.
    await h.db.deleteFrom('bank_transfer_events').where('transfer_id', '=', transfer_id).execute();
  });

  test.each(['duplicate-callback', 'late-callback', 'bad-signature', 'reorder'])(
    'is booked once where the webhook is a %s, or gets lost',
    async (kind) => {
      const ada = await linkedPerson();
      await ada.topUp(6);
      await ada.step('posted');
      await armPlaid(h, kind, 1, 10_000);
      await ada.step('settled');
      await h.drain();
      await h.advance(600);
      await h.drain();
      expect(await ada.balance()).toBe(6_00n);
      await h.advance(600);
      await h.drain();
      expect(await ada.balance()).toBe(6_00n);
    },
  );

  test('is read after a genuine webhook only', async () => {
    const [status, body] = await h.call('POST /banklink/webhook', {
      as: 'nobody',
      body: { webhook_type: 'TRANSFER', webhook_code: 'TRANSFER_EVENTS_UPDATE' },
      headers: { 'plaid-verification': 'a.b.c' },
    });
    expect([status, body.code]).toEqual([401, 'INVALID_SIGNATURE']);
  });
});

describe('reconciliation', () => {
  test('has the same lines on both sides, page by page, and finds differences', async () => {
    await h.advance(2 * 24 * 3600);
    await h.drain();
    const from = h.clock.now();
    const ada = await linkedPerson();
    await Promise.all(Array.from({ length: 13 }, () => ada.topUp('1.10')));
    for (const { transfer_id } of await ada.topUps())
      for (const event_type of ['posted', 'settled', 'returned'])
        await h.sandbox('POST', `/banklink/transfers/${transfer_id}/events`, { event_type });
    const bob = await linkedPerson();
    await bob.topUp(2);
    await bob.step('posted', 'settled');
    const [{ transfer_id: lost }] = (await bob.topUps()) as [{ transfer_id: string }];
    await bob.topUp(3);
    // Returned before it settled, so it never came.
    await bob.step('posted', 'returned');
    await h.drain();
    const to = new Date(h.clock.now().getTime() + 1000);
    const places: string[] = [];
    const { provider, close } = bankParts(placeOf(h, masterKey), (real) => real);
    const rail = bankRail({
      ...provider,
      eventsBetween(query) {
        places.push(String(query.offset));
        return provider.eventsBetween(query);
      },
    });
    const linesOf = async (side: 'ours' | 'theirs') => {
      const lines: string[] = [];
      for (let after: string | undefined; ; ) {
        const window = { from: new Date(Math.floor(from.getTime() / 1000) * 1000), to };
        const page =
          side === 'ours'
            ? done(await rail.ours(h.db, window, after))
            : await rail.theirs(window, after);
        if (page.kind !== 'done') throw new Error('No page');
        for (const { reference, kind, units } of page.value.lines)
          lines.push(`${reference} ${kind} ${units}`);
        after = page.value.next;
        if (after === undefined) return lines.sort();
      }
    };
    const ours = await linesOf('ours');
    expect(ours).toHaveLength(27);
    expect(await linesOf('theirs')).toEqual(ours);
    expect(new Set(places).size).toBeGreaterThan(1);
    await h.sandbox('POST', '/statements/plaid/faults', { kind: 'lose', reference: lost });
    const left = ours.filter((line) => !line.startsWith(lost));
    expect(await linesOf('theirs')).toEqual(left);
    await close();
  });
});
