import { beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import type { Outcome } from '#kernel/effects/outcome.ts';
import { exchangeSimulator } from '#sandbox/providers/exchange/simulator.ts';
import { ensurePayout } from '#sandbox/providers/gateway/simulated-payouts.ts';
import { xenditSimulator } from '#sandbox/providers/gateway/xendit-simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { exchangeAdapter } from './adapter.ts';
import { toBought } from './orders.ts';

const config = loadConfig({ NODE_ENV: 'test' });
const sent: unknown[] = [];
const taps = {
  ETH: async (gift: object) => {
    sent.push(gift);
    return { tx_hash: '0xfeed', balance: '0' };
  },
};
const { url, world, clock, control } = await testSandbox(
  exchangeSimulator(config, taps),
  xenditSimulator(config),
);
const settings = {
  id: 'tokocrypto' as const,
  url: () => `${url}/exchange`,
  key: config.EXCHANGE_KEY,
  secret: config.EXCHANGE_SECRET,
  clock,
  isLimited: false,
};
const shop = exchangeAdapter(settings);
const ADDRESS = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

let serial = 0;
const fresh = () => {
  serial += 1;
  return `REF-${serial}`;
};
const since = () => clock.now();
const doneOf = <T>(outcome: Outcome<T>): T => {
  if (outcome.kind === 'done') return outcome.value;
  throw new Error(JSON.stringify(outcome));
};
const balances = async () => doneOf(await shop.balances());
const behave = (how: object) => control('POST /exchange/behaviour', how);
const fault = (kind: string, times = 1) =>
  control('POST /faults', { provider: 'exchange', kind, times, ms: 20 });

/** Rupiah that a pay-out of the gateway has delivered there. */
async function deposit(reference: string, amount: number, told?: string) {
  await ensurePayout(world, {
    reference_id: reference,
    amount,
    currency: 'IDR',
    channel_code: 'ID_BCA',
    channel_properties: { account_number: '12345678', account_holder_name: 'A' },
    description: 'Test',
  });
  return control('POST /exchange/deposits', { reference_id: reference, ...(told && { told }) });
}

/** With so much more balance than before. */
async function funded(rupiah = 1_000_000) {
  expect((await deposit(fresh(), rupiah)).status).toBe(201);
}

beforeEach(async () => {
  await control('DELETE /exchange/behaviour');
  await control('DELETE /faults');
});

describe('a deposit', () => {
  test('has the bank’s reference, and arrives once', async () => {
    const [from, before] = [since(), await balances()];
    expect(await deposit('ARRIVED', 300_000)).toMatchObject({ status: 201 });
    expect((await deposit('ARRIVED', 300_000)).status).toBe(409);
    expect((await control('POST /exchange/deposits', { reference_id: 'NONE' })).status).toBe(404);
    const told = doneOf(await shop.deposits(from)).arrived.filter(({ note }) => note === 'ARRIVED');
    expect(told).toEqual([
      { id: expect.any(String), note: 'ARRIVED', units: 300_000_00n, at: expect.any(Date) },
    ]);
    expect((await balances()).idr - before.idr).toBe(300_000_00n);
  });

  test('may lack our reference, or show in the balance only', async () => {
    const [from, before] = [since(), await balances()];
    await deposit('UNNAMED', 20_000, 'nothing');
    await deposit('UNLISTED', 30_000, 'unlisted');
    const notes = doneOf(await shop.deposits(from)).arrived.map(({ note }) => note);
    expect(notes).toContain('TRANSFER');
    expect(notes).not.toContain('UNNAMED');
    expect((await balances()).idr - before.idr).toBe(50_000_00n);
  });
});

describe('a purchase', () => {
  test('spends the ordered amount, at the prices of the book, less the fee', async () => {
    await funded();
    const [reference, from, before] = [fresh(), since(), await balances()];
    const bought = doneOf(await shop.buy({ reference, units: 200_000_00n }));
    expect(bought).toEqual({
      id: expect.any(String),
      spent: 199_999_99n + 1n,
      bought: 12_578_616n,
      feeIdr: 0n,
      feeUsdc: 12_578n,
    });
    const after = await balances();
    expect(before.idr - after.idr).toBe(bought.spent);
    expect(after.usdc - before.usdc).toBe(bought.bought - bought.feeUsdc);
    expect(await shop.findPurchase({ reference, since: from })).toEqual({
      kind: 'done',
      value: bought,
    });
  });

  test('may end early when the book is empty, and answers the bought amount', async () => {
    await funded();
    await behave({
      asks: [
        ['16000', '3'],
        ['16500', '2'],
      ],
      fee_points: 0,
    });
    const bought = doneOf(await shop.buy({ reference: fresh(), units: 200_000_00n }));
    expect(bought).toMatchObject({ spent: 81_000_00n, bought: 5_000_000n, feeUsdc: 0n });
  });

  test('that bought nothing, or was not accepted, is refused', async () => {
    await funded();
    const buy = (units: bigint) => shop.buy({ reference: fresh(), units });
    expect(await buy(9_999_00n)).toMatchObject({ kind: 'refused', code: 'InvalidOrder' });
    expect(await buy(9_000_000_000_00n)).toMatchObject({
      kind: 'refused',
      code: 'InsufficientFunds',
    });
    await behave({ asks: [] });
    expect(await buy(200_000_00n)).toMatchObject({ kind: 'refused', code: 'NOT_FILLED' });
    await behave({ orders: 'reject' });
    expect(await buy(200_000_00n)).toMatchObject({ kind: 'refused', code: 'NOT_FILLED' });
  });

  test('is unknown while it is open, and found at its end', async () => {
    await funded();
    const [reference, from] = [fresh(), since()];
    await behave({ orders: 'hold' });
    expect((await shop.buy({ reference, units: 200_000_00n })).kind).toBe('unknown');
    expect((await shop.findPurchase({ reference, since: from })).kind).toBe('unknown');
    await behave({ orders: 'fill' });
    const found = await shop.findPurchase({ reference, since: from });
    expect(doneOf(found)?.bought).toBeGreaterThan(12_000_000n);
  });

  test('is unknown while half of it is filled, and is booked whole at its end', async () => {
    await funded();
    const [reference, from] = [fresh(), since()];
    await behave({ orders: 'half', asks: [['16000', '1000']], fee_points: 0 });
    const order = shop.buy({ reference, units: 160_000_00n });
    expect(await order).toEqual({ kind: 'unknown', cause: 'The order is open' });
    expect((await shop.findPurchase({ reference, since: from })).kind).toBe('unknown');
    await behave({ orders: 'fill' });
    const found = await shop.findPurchase({ reference, since: from });
    expect(doneOf(found)).toMatchObject({ spent: 160_000_00n, bought: 10_000_000n });
  });

  test('may have its fee in rupiah; one in another coin stays in doubt', async () => {
    await funded();
    await behave({ fee_asset: 'IDR', asks: [['16000', '1000']] });
    expect(doneOf(await shop.buy({ reference: fresh(), units: 160_000_00n }))).toMatchObject({
      spent: 159_999_84n,
      bought: 9_990_000n,
      feeIdr: 159_84n,
      feeUsdc: 0n,
    });
    await behave({ fee_asset: 'TKO' });
    expect(await shop.buy({ reference: fresh(), units: 160_000_00n })).toEqual({
      kind: 'unknown',
      cause: 'It took a fee in TKO',
    });
  });

  test('with a duplicate reference, which the exchange accepts, stays in doubt', async () => {
    await funded();
    const [reference, from] = [fresh(), since()];
    for (const _ of [1, 2]) doneOf(await shop.buy({ reference, units: 20_000_00n }));
    expect(await shop.findPurchase({ reference, since: from })).toEqual({
      kind: 'unknown',
      cause: 'It is there more than once',
    });
  });

  test('with an unknown reference is not found', async () => {
    const found = await shop.findPurchase({ reference: 'NEVER', since: since() });
    expect(found).toEqual({ kind: 'done', value: undefined });
  });
});

test('fills finer than our units are added up exactly, and fees rounded up', () => {
  const order = {
    id: '7',
    status: 'closed',
    timestamp: 0,
    filled: '0.0000030000005',
    cost: '0.0481',
  };
  const fill = (amount: string, cost: string) => ({
    order: '7',
    amount,
    fee: { currency: 'USDC', cost },
  });
  const fills = [fill('0.0000010000002', '0.0000000001'), fill('0.0000020000003', '0.0000000002')];
  expect(doneOf(toBought(order, fills))).toEqual({
    id: '7',
    spent: 5n,
    bought: 3n,
    feeIdr: 0n,
    feeUsdc: 1n,
  });
  expect(toBought(order, fills.slice(1))).toEqual({
    kind: 'unknown',
    cause: 'The list lacks some of its fills',
  });
});

describe('a withdrawal', () => {
  const ask = (over: object = {}) => ({
    reference: fresh(),
    network: 'ERC20' as const,
    address: ADDRESS,
    units: 8_000_000n,
    ...over,
  });

  test('is sent on its network less the network’s fee, after its review', async () => {
    await funded();
    doneOf(await shop.buy({ reference: fresh(), units: 500_000_00n }));
    const [request, from, before] = [ask(), since(), await balances()];
    const { id } = doneOf(await shop.withdraw(request));
    expect(before.usdc - (await balances()).usdc).toBe(8_000_000n);
    const found = await shop.findWithdrawal({ reference: request.reference, since: from });
    expect(found).toEqual({
      kind: 'done',
      value: { id, status: 'COMPLETED', arriving: 6_500_000n, fee: 1_500_000n, txHash: '0xfeed' },
    });
    expect(sent.at(-1)).toEqual({
      address: ADDRESS,
      asset: 'USDC',
      amount: '6.500000',
      reference: `exchange-withdrawal:${id}`,
    });
    const tron = ask({ network: 'TRC20', address: TRON, units: 5_000_000n });
    doneOf(await shop.withdraw(tron));
    const other = await shop.findWithdrawal({ reference: tron.reference, since: from });
    expect(doneOf(other)).toMatchObject({ fee: 1_000_000n, txHash: expect.any(String) });
  });

  test('is processing while the exchange holds it, and returns when rejected', async () => {
    await funded();
    doneOf(await shop.buy({ reference: fresh(), units: 500_000_00n }));
    const [request, from, before] = [ask(), since(), await balances()];
    await behave({ withdrawals: 'hold' });
    doneOf(await shop.withdraw(request));
    const find = () => shop.findWithdrawal({ reference: request.reference, since: from });
    expect(doneOf(await find())?.status).toBe('PROCESSING');
    await behave({ withdrawals: 'reject' });
    expect(doneOf(await find())?.status).toBe('FAILED');
    expect(await balances()).toEqual(before);
  });

  test('of too little, or of more than the balance, is refused', async () => {
    expect(await shop.withdraw(ask({ units: 4_999_999n }))).toMatchObject({
      kind: 'refused',
      message: 'Not less than the minimum pick-up quantity 5.',
    });
    expect(await shop.withdraw(ask({ units: 900_000_000_000n }))).toMatchObject({
      kind: 'refused',
      code: 'InsufficientFunds',
    });
  });
});

describe('an exchange that misbehaves', () => {
  test.each(['refuse', 'drop', 'commit-then-drop', 'error'])(
    'by %s leaves every call unknown, and is looked at again',
    async (kind) => {
      await funded();
      const [reference, from] = [fresh(), since()];
      await balances();
      await fault(kind);
      expect((await shop.buy({ reference, units: 20_000_00n })).kind).toBe('unknown');
      const found = doneOf(await shop.findPurchase({ reference, since: from }));
      expect(found !== undefined).toBe(kind === 'commit-then-drop');
      for (const call of [
        () => shop.balances(),
        () => shop.deposits(from),
        () => shop.findPurchase({ reference, since: from }),
        () => shop.findWithdrawal({ reference, since: from }),
        () => shop.statement({ from, to: since() }),
      ]) {
        await fault(kind);
        expect((await call()).kind).toBe('unknown');
      }
    },
  );

  test('at the very first call is called again at the next one', async () => {
    const another = exchangeAdapter(settings);
    await fault('drop');
    expect((await another.balances()).kind).toBe('unknown');
    expect((await another.balances()).kind).toBe('done');
  });

  test('is waited for when it answers late', async () => {
    await fault('delay');
    expect((await shop.balances()).kind).toBe('done');
  });

  test('refuses a foreign signature, without revealing it', async () => {
    const stranger = exchangeAdapter({ ...settings, secret: 'another' });
    const told = await stranger.balances();
    expect(told).toMatchObject({ kind: 'refused', code: 'AuthenticationError' });
    await fault('drop');
    expect(JSON.stringify(await shop.balances())).not.toContain('signature=');
  });

  test('refuses requests signed too long ago', async () => {
    const late = exchangeAdapter({
      ...settings,
      clock: { ...clock, now: () => new Date(clock.now().getTime() - 6000) },
    });
    expect((await late.buy({ reference: fresh(), units: 20_000_00n })).kind).toBe('unknown');
  });
});

describe('its statement', () => {
  const lines = async (from: Date) => {
    const all = [];
    const window = { from, to: new Date(clock.now().getTime() + 1000) };
    for (let after: string | undefined; ; ) {
      const page = doneOf(await shop.statement(window, after));
      all.push(...page.lines.map(({ line: _, at: __, ...line }) => line));
      if (page.next === undefined) return all;
      after = page.next;
    }
  };

  test('has deposits, trades and withdrawals, fees included', async () => {
    clock.advance(120_000);
    const from = since();
    const [came, trade, paid] = ['CAME', 'TRADE', 'PAID'];
    await deposit(came, 400_000);
    const bought = doneOf(await shop.buy({ reference: trade, units: 300_000_00n }));
    const request = { reference: paid, network: 'SOLANA' as const, address: TRON };
    doneOf(await shop.withdraw({ ...request, units: 10_000_000n }));
    expect(await lines(from)).toEqual([
      { reference: came, kind: 'deposit', asset: 'IDR', units: 400_000_00n },
      { reference: trade, kind: 'trade', asset: 'IDR', units: -bought.spent },
      {
        reference: trade,
        kind: 'trade',
        asset: 'USDC',
        units: bought.bought - bought.feeUsdc,
      },
      { reference: paid, kind: 'withdrawal', asset: 'USDC', units: -10_000_000n },
    ]);
    const spoil = (kind: string, reference: string) =>
      control('POST /statements/exchange/faults', { kind, reference });
    await spoil('lose', came);
    await spoil('double', paid);
    const spoilt = await lines(from);
    expect(spoilt.map(({ reference }) => reference)).toEqual([trade, trade, paid, paid]);
    await spoil('alter', came);
    expect((await lines(from))[0]?.units).toBe(400_001_00n);
    await control('DELETE /statements/exchange/faults');
  });
});
