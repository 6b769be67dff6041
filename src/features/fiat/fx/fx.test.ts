import { expect, test } from 'vitest';
import { balanceOf, houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import type { RateReading } from '#providers/fx/port.ts';
import { harness } from '#test/harness.ts';
import { convertVia, costOf } from './convert.ts';
import { exchangeLegs, recordConversion } from './fx.ts';

const h = await harness();
const quote = (query: Record<string, string>) => h.call('GET /fx/quote', { query });
const at = '2026-01-02T03:04:05.000Z';
const reading = (rates: Record<string, string>): RateReading => ({
  rateOf: (from, to) => rates[`${from}:${to}`],
  source: 'test',
  at,
  usable_until: at,
});

test('a quote goes over USDC and names its rates, their source and time', async () => {
  expect(await quote({ from: 'IDR', to: 'SGD', amount: '1587550' })).toEqual([
    200,
    {
      success: true,
      data: {
        from: 'IDR',
        to: 'SGD',
        amount: '1587550.00',
        usdc: '100.000000',
        result: '134.25',
        route: 'IDR → USDC → SGD',
        rates: { in: '0.00006299014204277', out: '1.3425' },
        source: 'coinbase',
        rates_at: expect.stringMatching(/Z$/),
        usable_until: expect.stringMatching(/Z$/),
      },
      timestamp: expect.any(String),
    },
  ]);
  const [, { data }] = await quote({ from: 'USDC', to: 'VND', amount: '1' });
  expect([data.route, data.result]).toEqual(['USDC → VND', '25410']);
});

test('the rates are for one USDC, with the age at which they expire', async () => {
  const [status, { data }] = await h.call('GET /fx/rates');
  expect([status, data.base, data.source]).toEqual([200, 'USDC', 'coinbase']);
  expect(data.rates).toEqual({
    USD: '1',
    IDR: '15875.5',
    SGD: '1.3425',
    AUD: '1.5301',
    INR: '84.1275',
    VND: '25410',
    USDC: '1',
  });
  expect(Date.parse(data.usable_until) - Date.parse(data.rates_at)).toBe(600_000);
});

test.each([
  { from: 'EUR', to: 'USD', amount: '1' },
  { from: 'USD', to: 'ETH', amount: '1' },
  { from: 'USD', to: 'IDR', amount: '0' },
  { from: 'USD', to: 'IDR', amount: '-1' },
  { from: 'USD', to: 'IDR', amount: '1.001' },
  { from: 'VND', to: 'IDR', amount: '1.5' },
  { from: 'USD', to: 'IDR', amount: '1e3' },
  { from: 'USD', amount: '1' },
])('a quote is refused for %j', async (query) => {
  const [status, body] = await quote(query as Record<string, string>);
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
});

test('without recent rates nothing is converted', async () => {
  await h.call('GET /fx/rates');
  await h.advance(601);
  await h.sandbox('POST', '/faults', { provider: 'fx', kind: 'error', times: 100 });
  const [status, body] = await quote({ from: 'USD', to: 'IDR', amount: '1' });
  expect([status, body.error.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  await h.sandbox('DELETE', '/faults');
  expect((await quote({ from: 'USD', to: 'IDR', amount: '1' }))[0]).toBe(200);
});

test('USDC is rounded half-even, money paid out down, money paid in up', () => {
  const rates = reading({
    'IDR:USDC': '0.00005',
    'USDC:IDR': '20000',
    'USDC:SGD': '1.33333333',
    'USD:USDC': '0.99999950',
    'USDC:USD': '1.0000005',
  });
  const usdcOf = (amount: string) =>
    convertVia(rates, { from: money('IDR', amount), to: 'USDC' }).usdc.units;
  expect([usdcOf('0.03'), usdcOf('0.05'), usdcOf('0.07')].map(String)).toEqual(['2', '2', '4']);
  expect(convertVia(rates, { from: money('USDC', '0.02'), to: 'SGD' }).result.units).toBe(2n);
  expect(costOf(rates, money('USDC', '1'), 'USD').from.units).toBe(101n);
});

test('less than a millionth of a USDC is refused, fees taken off', () => {
  const rates = reading({ 'IDR:USDC': '0.00005', 'USDC:IDR': '20000' });
  const fee = { less: (usdc: { asset: 'USDC'; units: bigint }) => ({ ...usdc, units: 0n }) };
  expect(() => convertVia(rates, { from: money('IDR', '1'), to: 'IDR', ...fee })).toThrow(
    expect.objectContaining({ code: 'AMOUNT_BELOW_MINIMUM' }),
  );
});

test('a conversion is recorded once, and sums to zero in each asset', async () => {
  const { user_id } = await h.user();
  const rates = reading({ 'USD:USDC': '1.000003', 'USDC:IDR': '15875.5' });
  const conversion = convertVia(rates, { from: money('USD', '10'), to: 'IDR' });
  const payer = await openAccount(h.db, houseAccount('test', 'USD'));
  const payee = await openAccount(h.db, houseAccount('test', 'IDR'));
  const book = () =>
    transact(h.db, async (tx) => {
      await recordConversion(tx, { reference: 'fx-test:1', user_id }, conversion);
      const trade = { payer, sold: conversion.from, payee, bought: conversion.result };
      const legs = await exchangeLegs(tx, trade);
      await postWithin(tx, { key: 'fx-test:1', kind: 'test', legs });
    });
  await book();
  await book();
  expect(await h.db.selectFrom('fx_conversions').selectAll().execute()).toMatchObject([
    {
      reference: 'fx-test:1',
      from_units: 1000n,
      usdc_units: 10_000_030n,
      to_units: 15_875_547n,
      rate_in: '1.000003',
      rate_out: '15875.5',
      source: 'test',
      rates_at: at,
    },
  ]);
  expect((await balanceOf(h.db, payee)).posted).toBe(15_875_547n);
  const position = await openAccount(h.db, houseAccount('fx', 'IDR'));
  expect((await balanceOf(h.db, position)).posted).toBe(-15_875_547n);
});
