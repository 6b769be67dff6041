import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { money } from '#kernel/money/money.ts';
import { failInserts } from '#test/sandbox.ts';
import {
  ALSO_GOOD,
  card,
  DECLINED,
  doneBy,
  GOOD,
  LATE,
  POOR,
  refusal,
  SILENT,
  testNetwork,
  usd,
} from '#test/test-network.ts';
import { cardNetwork } from './adapter.ts';
import { readCard } from './port.ts';

const { clock, close, db, network, pulled, sandbox, settings, trace, transactionsOf } =
  await testNetwork();
afterAll(close);
beforeEach(() => sandbox.world.faults.clear());

describe('validation', () => {
  test('approves a good card without moving money', async () => {
    const named = trace();
    const validation = doneBy(await network.validate({ trace: named, card: card(GOOD) }));
    expect(validation).toMatchObject({ cvv: 'match', merchant: { name: 'Archipay' } });
    expect(await network.find(named)).toEqual({ kind: 'done', value: undefined });
  });

  test('a card without funds is still a good card; a declined one is not', async () => {
    const validate = (number: string) => network.validate({ trace: trace(), card: card(number) });
    expect(await validate(POOR)).toMatchObject({ kind: 'done' });
    expect(await validate(DECLINED)).toMatchObject(refusal('DECLINED'));
  });

  test('a card that has expired is refused', async () => {
    const expired = { trace: trace(), card: card(GOOD, '0120') };
    expect(await network.validate(expired)).toMatchObject(refusal('EXPIRED_CARD'));
    expect(await network.pull({ ...expired, money: usd('1.00') })).toMatchObject(
      refusal('EXPIRED_CARD'),
    );
  });
});

describe('pulls and pushes', () => {
  test.each([
    [DECLINED, 'DECLINED'],
    [POOR, 'INSUFFICIENT_FUNDS'],
  ])('card %s answers %s, and so does the look-up', async (number, code) => {
    const charge = { trace: trace(), card: card(number), money: usd('5.00') };
    expect(await network.pull(charge)).toMatchObject(refusal(code));
    expect(await network.find(charge.trace)).toMatchObject(refusal(code));
  });

  test('a late issuer is answered by the status that the network names', async () => {
    const charge = { trace: trace(), card: card(LATE), money: usd('5.00') };
    const moved = doneBy(await network.pull(charge));
    expect(doneBy(await network.find(charge.trace))).toMatchObject({
      transactionIdentifier: moved.transactionIdentifier,
    });
    const push = { ...charge, trace: trace(), recipientName: 'Ada', reference: 'late' };
    expect(doneBy(await network.push(push)).approvalCode).toMatch(/^\d{6}$/);
    expect(await transactionsOf(charge.trace.rrn)).toHaveLength(1);
  });

  test('the same pull sent again, also at once, is one transaction', async () => {
    const charge = { trace: trace(), card: card(GOOD), money: usd('7.25') };
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => network.pull(charge)));
    const [first] = outcomes;
    for (const outcome of outcomes) expect(outcome).toEqual(first);
    expect(await transactionsOf(charge.trace.rrn)).toHaveLength(1);
  });

  test('a reference of another transaction is refused', async () => {
    const first = await pulled();
    const { trace } = first;
    const others = [
      { ...first, money: usd('100.01') },
      { ...first, card: card(ALSO_GOOD) },
      { ...first, money: money('SGD', '100.00') },
    ];
    for (const other of others) {
      expect(await network.pull(other)).toMatchObject(refusal('DUPLICATE'));
    }
    expect(await transactionsOf(trace.rrn)).toHaveLength(1);
  });

  test('the same number of another terminal is another transaction, and each is found', async () => {
    const first = await pulled(GOOD, usd('1.00'));
    const trace = { ...first.trace, terminal: 2 };
    const second = doneBy(await network.pull({ ...first, trace, money: usd('2.00') }));
    const found = [first.trace, trace].map(async (one) => doneBy(await network.find(one)));
    expect(await Promise.all(found)).toMatchObject([
      { ...first.movement, money: usd('1.00') },
      { ...second, money: usd('2.00') },
    ]);
    const third = { ...first.trace, terminal: 3 };
    expect(await network.find(third)).toEqual({ kind: 'done', value: undefined });
  });

  test.each(['USD', 'IDR', 'SGD', 'AUD', 'INR', 'VND'] as const)(
    '%s goes out in its own decimals',
    async (currency) => {
      const amount = currency === 'VND' ? '250000' : '250000.50';
      const { trace } = await pulled(GOOD, money(currency, amount));
      expect(await transactionsOf(trace.rrn)).toMatchObject([{ amount, currency, last4: '1111' }]);
    },
  );

  test('zero is no amount', async () => {
    const charge = { trace: trace(), card: card(GOOD), money: usd('0.00') };
    expect(await network.pull(charge)).toMatchObject(refusal('INVALID_AMOUNT'));
  });

  test('a push needs no expiry, and goes once', async () => {
    const read = readCard({ number: ALSO_GOOD }, clock.now());
    if ('fault' in read) throw new Error(read.fault);
    const push = {
      trace: trace(),
      card: read.card,
      money: usd('12.00'),
      recipientName: 'A recipient with a name longer than the network takes',
      reference: 'PUSH-1763634600000-1',
    };
    const first = doneBy(await network.push(push));
    expect(doneBy(await network.push(push))).toEqual(first);
    const found = { ...first, status: 'COMPLETED', money: push.money };
    expect(doneBy(await network.find(push.trace))).toEqual(found);
  });

  test('a call with a lost answer is found by its reference, and never done twice', async () => {
    for (const move of ['pull', 'push'] as const) {
      const charge = { trace: trace(), card: card(SILENT), money: usd('3.00') };
      const send = () => network[move]({ ...charge, recipientName: 'A B', reference: 'R' });
      expect(await send()).toMatchObject({ kind: 'unknown' });
      const found = doneBy(await network.find(charge.trace));
      expect(found).toMatchObject({ status: 'COMPLETED' });
      expect(doneBy(await send()).transactionIdentifier).toBe(found?.transactionIdentifier);
      expect(await transactionsOf(charge.trace.rrn)).toHaveLength(1);
    }
  });
});

describe('reversals', () => {
  test('return a part once, with several callers at the same time', async () => {
    const { movement, ...pull } = await pulled();
    const original = { ...movement, trace: pull.trace };
    const reverse = (amount: string) =>
      network.reverse({ card: pull.card, money: usd(amount), original, trace: trace() });
    const outcomes = await Promise.all([reverse('40.00'), reverse('60.00'), reverse('100.00')]);
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1);
    expect(await reverse('1.00')).toMatchObject(refusal('ALREADY_REVERSED'));
  });

  test('sent again are the same reversal', async () => {
    const { movement, ...pull } = await pulled();
    const reversal = { ...pull, original: { ...movement, trace: pull.trace }, trace: trace() };
    const first = await network.reverse(reversal);
    expect(first.kind).toBe('done');
    expect(await network.reverse(reversal)).toEqual(first);
    expect(doneBy(await network.find(reversal.trace))).toMatchObject(doneBy(first));
  });

  test('cut short before they were stored leave their pull reversible', async () => {
    const { movement, ...pull } = await pulled();
    const original = { ...movement, trace: pull.trace };
    const reverse = () => network.reverse({ ...pull, original, trace: trace() });
    const restore = await failInserts(db, 'card-network', 'transaction');
    expect(await reverse()).toMatchObject({ kind: 'unknown' });
    await restore();
    expect(await reverse()).toMatchObject({ kind: 'done' });
    expect(await reverse()).toMatchObject(refusal('ALREADY_REVERSED'));
  });

  test('of more than the original, in another currency or to another card are refused', async () => {
    const { movement, ...pull } = await pulled();
    const original = { ...movement, trace: pull.trace };
    const reverse = (other: object) =>
      network.reverse({ ...pull, original, ...other, trace: trace() });
    expect(await reverse({ money: usd('100.01') })).toMatchObject(refusal('INVALID_AMOUNT'));
    expect(await reverse({ money: money('AUD', '1.00') })).toMatchObject(refusal('INVALID_AMOUNT'));
    expect(await reverse({ card: card(ALSO_GOOD) })).toMatchObject(refusal('INVALID_CARD'));
    expect(await reverse({})).toMatchObject({ kind: 'done' });
  });

  test('of declined, pushed or unknown transactions are refused', async () => {
    const { movement, ...pull } = await pulled();
    const reverse = (original: object) =>
      network.reverse({
        ...pull,
        original: { ...movement, trace: pull.trace, ...original },
        trace: trace(),
      });
    const unknownOne = { transactionIdentifier: '123456789012345' };
    expect(await reverse(unknownOne)).toMatchObject(refusal('ORIGINAL_NOT_FOUND'));
    expect(await reverse({ approvalCode: '000000' })).toMatchObject(refusal('ORIGINAL_NOT_FOUND'));
    const push = { ...pull, trace: trace(), recipientName: 'A B', reference: 'R' };
    const pushed = doneBy(await network.push(push));
    expect(await reverse({ ...pushed, trace: push.trace })).toMatchObject(
      refusal('ORIGINAL_NOT_FOUND'),
    );
  });
});

describe('when the network misbehaves', () => {
  const arm = (kind: 'refuse' | 'drop' | 'commit-then-drop' | 'error', times = 1) =>
    sandbox.world.faults.arm({ provider: 'card-network', kind, times });

  test.each([
    ['refuse', 0],
    ['drop', 0],
    ['error', 0],
    ['commit-then-drop', 1],
  ] as const)('after %s the outcome is unknown, and the look-up tells', async (kind, happened) => {
    const charge = { trace: trace(), card: card(GOOD), money: usd('9.00') };
    arm(kind);
    expect(await network.pull(charge)).toMatchObject({ kind: 'unknown' });
    const found = doneBy(await network.find(charge.trace));
    expect(found === undefined ? 0 : 1).toBe(happened);
    expect(doneBy(await network.pull(charge)).approvalCode).toMatch(/^\d{6}$/);
    expect(await transactionsOf(charge.trace.rrn)).toHaveLength(1);
  });

  test('a reversal with a lost answer returns the money once', async () => {
    const { movement, ...pull } = await pulled();
    const reversal = { ...pull, original: { ...movement, trace: pull.trace }, trace: trace() };
    arm('commit-then-drop');
    expect(await network.reverse(reversal)).toMatchObject({ kind: 'unknown' });
    expect(await network.reverse(reversal)).toMatchObject({ kind: 'done' });
    expect(await transactionsOf(reversal.trace.rrn)).toHaveLength(1);
  });

  test('an answer that takes too long leaves the outcome unknown', async () => {
    const hasty = cardNetwork({ ...settings, timeoutMs: 50 });
    sandbox.world.faults.arm({ provider: 'card-network', kind: 'delay', ms: 400 });
    const charge = { trace: trace(), card: card(GOOD), money: usd('9.00') };
    expect(await hasty.pull(charge)).toMatchObject({ kind: 'unknown' });
  });

  test.each(['refuse', 'drop', 'commit-then-drop', 'error'] as const)(
    'a look-up spoiled by %s never says that nothing happened',
    async (kind) => {
      const { trace } = await pulled();
      arm(kind);
      expect(await network.find(trace)).toMatchObject({ kind: 'unknown' });
    },
  );

  test('a call that never left is refused, a look-up that never left is unknown', async () => {
    for (const url of ['http://127.0.0.1:1', '']) {
      const nowhere = cardNetwork({ ...settings, url: () => url });
      const charge = { trace: trace(), card: card(GOOD), money: usd('1.00') };
      expect(await nowhere.pull(charge)).toMatchObject(refusal('UNREACHABLE'));
      expect(await nowhere.find(charge.trace)).toMatchObject({ kind: 'unknown' });
    }
  });

  test('wrong credentials move nothing, and are no decline in a look-up', async () => {
    const stranger = cardNetwork({ ...settings, password: 'guess' });
    const { trace: known } = await pulled();
    const charge = { trace: trace(), card: card(GOOD), money: usd('1.00') };
    expect(await stranger.pull(charge)).toMatchObject({ kind: 'refused', status: 401 });
    expect(await stranger.find(known)).toMatchObject({ kind: 'unknown' });
  });
});
