import { type Static, Type } from 'typebox';
import type { Config } from '#kernel/config/config.ts';
import { jsonSetting } from '#kernel/json-setting.ts';
import { type Asset, type Money, money, percent } from './money.ts';

/** So much of the currency, or so many percent of the amount. */
const Price = Type.Optional(Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,4})?%?$' }));
const Prices = Type.Object(
  {
    'gateway.payout': Price,
    'gateway.payout_least': Price,
    'gateway.va': Price,
    'gateway.qris': Price,
    'gateway.ewallet': Price,
    'card.top_up': Price,
    'card.push': Price,
    'bank.top_up': Price,
    'bank.payout': Price,
  },
  { additionalProperties: false },
);
export type PriceItem = keyof Static<typeof Prices>;

/**
 * What providers take for one transaction, until PROVIDER_PRICES says what the operator has agreed with them. The
 * gateway's is Xendit's standard list (docs.xendit.co/fees-and-vat, Indonesia): bank transfer 5,000 rupiah, virtual
 * account 4,000, e-wallet 1.5 %, each and 11 % value added tax; QRIS 0.7 % with the tax in it. Card networks and
 * those who debit bank accounts have no public list: theirs is zero until the operator says what it is.
 */
const LIST: Readonly<Record<PriceItem, readonly [Asset, string]>> = {
  'gateway.payout': ['IDR', '5550'],
  // The least that it transfers to every bank (docs.xendit.co/xendisburse/limits-and-processing-times).
  'gateway.payout_least': ['IDR', '10000'],
  'gateway.va': ['IDR', '4440'],
  'gateway.qris': ['IDR', '0.7%'],
  'gateway.ewallet': ['IDR', '1.665%'],
  'card.top_up': ['USD', '0'],
  'card.push': ['USD', '0'],
  'bank.top_up': ['USD', '0'],
  // Of the five currencies beside rupiah: what a transfer within their countries costs a business at the most.
  'bank.payout': ['USD', '0.50'],
};

/** What one transaction of an amount costs at its provider, rounded up. */
export type PriceList = (item: PriceItem, amount?: Money) => Money;

/** Throws for the operator where the setting cannot be read. */
export function readPriceList({ PROVIDER_PRICES }: Pick<Config, 'PROVIDER_PRICES'>): PriceList {
  const agreed = jsonSetting('PROVIDER_PRICES', Prices, PROVIDER_PRICES ?? '{}');
  return (item, amount) => {
    const [asset, usual] = LIST[item];
    const price = agreed[item] ?? usual;
    if (!price.endsWith('%')) return money(asset, price);
    return amount ? percent(amount, price.slice(0, -1), 'up') : { asset, units: 0n };
  };
}
