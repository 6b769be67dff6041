import { expect, test } from 'vitest';
import { money } from './money.ts';
import { type PriceItem, readPriceList } from './price-list.ts';

const read = (prices: object = {}) => readPriceList({ PROVIDER_PRICES: JSON.stringify(prices) });

test('without a setting each item has the price of its provider’s public list', () => {
  const price = read();
  const usual: readonly (readonly [PriceItem, string])[] = [
    ['gateway.payout', '5550.00 IDR'],
    ['gateway.payout_least', '10000.00 IDR'],
    ['gateway.va', '4440.00 IDR'],
    ['gateway.qris', '700.00 IDR'],
    ['gateway.ewallet', '1665.00 IDR'],
    ['card.top_up', '0.00 USD'],
    ['card.push', '0.00 USD'],
    ['bank.top_up', '0.00 USD'],
  ];
  for (const [item, text] of usual) {
    const [amount = '', asset] = text.split(' ');
    const of = asset === 'IDR' ? money('IDR', '100000') : money('USD', '100');
    expect(price(item, of)).toEqual({ asset, units: BigInt(amount.replace('.', '')) });
  }
});

test('the operator’s agreed price replaces the list, as a sum or as a percentage rounded up', () => {
  const price = read({ 'gateway.payout': '2500.5', 'card.top_up': '1.4%' });
  expect(price('gateway.payout')).toEqual(money('IDR', '2500.5'));
  expect(price('card.top_up', { asset: 'USD', units: 101n })).toEqual({ asset: 'USD', units: 2n });
  expect(price('gateway.va')).toEqual(money('IDR', '4440'));
});

test('a percentage of no amount is zero', () => {
  expect(read()('gateway.qris')).toEqual({ asset: 'IDR', units: 0n });
});

test.each([
  { 'gateway.payout': 'free' },
  { 'gateway.payout': '-1' },
  { 'gateway.payout': '1.23456' },
  { 'gateway.payout': '1%%' },
  { 'gateway.nothing': '1' },
  { 'gateway.payout': 5 },
])('a setting of %j is refused at the start, by its name', (prices) => {
  expect(() => read(prices)).toThrow(/PROVIDER_PRICES/);
});
