import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grouped } from '#features/commerce/purchases/quote.ts';
import { format, SCALE } from '#kernel/money/money.ts';
import { PRICE_CURRENCIES, type PriceCurrency, USAGES } from './price-currencies.ts';
import { readPrice } from './price-text.ts';

const shown = (text: string): string => {
  const read = readPrice(text);
  return 'price' in read ? `${read.price.asset} ${format(read.price)}` : read.unreadable;
};

test.each([
  ['Rp 1.234.567', 'IDR 1234567.00'],
  ['Rp1.234.567,50', 'IDR 1234567.50'],
  ['Rp. 25.000,-', 'IDR 25000.00'],
  ['IDR 25.000', 'IDR 25000.00'],
  ['IDR 25000.00', 'IDR 25000.00'],
  ['$1,234.50', 'USD 1234.50'],
  ['US$ 5', 'USD 5.00'],
  ['$5.5', 'USD 5.50'],
  ['USD $1,234', 'USD 1234.00'],
  ['$12.90 USD', 'USD 12.90'],
  ['$1,234,567.89', 'USD 1234567.89'],
  ['S$12.90', 'SGD 12.90'],
  ['SGD $12.90', 'SGD 12.90'],
  ['A$ 1,000', 'AUD 1000.00'],
  ['1.234,50 €', 'EUR 1234.50'],
  ['€1,234', 'EUR 1234.00'],
  ['€1.234', 'EUR 1234.00'],
  ['1 234,50 €', 'EUR 1234.50'],
  ["1'234.50 EUR", 'EUR 1234.50'],
  ['£9.99', 'GBP 9.99'],
  ['1,500円', 'JPY 1500'],
  ['JPY 1,500.00', 'JPY 1500'],
  ['₫150.000', 'VND 150000'],
  ['150.000 đ', 'VND 150000'],
  ['VND 500,000', 'VND 500000'],
  ['₫12,500', 'VND 12500'],
  ['500,000 VND', 'VND 500000'],
  ['VND 1,500,000', 'VND 1500000'],
  ['IDR 250,000', 'IDR 250000.00'],
  ['Rp 250,000', 'IDR 250000.00'],
  ['Rp 1,234', 'IDR 1234.00'],
  ['IDR 15,000.00', 'IDR 15000.00'],
  ['₹1,23,456.50', 'INR 123456.50'],
  ['Rs. 123,456', 'INR 123456.00'],
  ['１２．５０ ＵＳＤ', 'USD 12.50'],
])('%s is %s', (text, price) => {
  expect(shown(text)).toBe(price);
});

test.each([
  // In three digits behind one mark somebody else may see a fraction.
  ['$1.234', 'ambiguous'],
  ['1.299 SGD', 'ambiguous'],
  ['Rp 1,2345', 'ambiguous'],
  ['Rp 1.234,567', 'ambiguous'],
  ['₫1,500.000', 'ambiguous'],
  ['$0.005', 'ambiguous'],
  ['$1,23,456', 'ambiguous'],
  ['$12,34,567.00', 'ambiguous'],
  ['$1.234,567', 'ambiguous'],
  ['$1,2345', 'ambiguous'],
  ['$01.50', 'ambiguous'],
  ['$1,000.00.0', 'ambiguous'],
  ['VND 150.50', 'ambiguous'],
  ['€ $5', 'ambiguous'],
  ['SGD US$5', 'ambiguous'],
  ['¥1500', 'unknown currency'],
  ['CAD 5', 'unknown currency'],
  ['from $5', 'unknown currency'],
  ['-$5', 'unknown currency'],
  ['$5 - $7', 'no amount'],
  ['$10 $8', 'no amount'],
  ['5', 'no currency'],
  ['1.234,50', 'no currency'],
  ['$', 'no amount'],
  ['', 'no amount'],
  ['$0.00', 'no price'],
  ['$1e3', 'no amount'],
  ['$٥', 'no amount'],
  ['$5²', 'unknown currency'],
  ['$5½', 'unknown currency'],
  [`$${'9'.repeat(16)}`, 'ambiguous'],
  [`$5${' '.repeat(80)}`, 'no amount'],
])('%s is not read: %s', (text, why) => {
  expect(shown(text)).toBe(why);
});

const currency = fc.constantFrom(...PRICE_CURRENCIES);
const amounts = fc.bigInt(1n, 10n ** 12n - 1n);

/** As the currency's own country writes it. */
function written(asset: PriceCurrency, units: bigint, sign: string): string {
  const { groups, byTwos } = USAGES[asset];
  const [group = ','] = groups;
  const [whole = '', fraction] = format({ asset, units }).split('.');
  const grouped = byTwos
    ? whole.replace(/\B(?=(\d\d)*\d{3}$)/g, group)
    : whole.replace(/\B(?=(\d{3})+$)/g, group);
  const decimal = group === ',' ? '.' : ',';
  return `${sign} ${grouped}${fraction === undefined ? '' : `${decimal}${fraction}`}`;
}

test('whatever a country writes is read to the last unit, with its code or its own sign', () => {
  fc.assert(
    fc.property(currency, amounts, (asset, units) => {
      const signs = USAGES[asset].signs.filter((sign) => sign !== '$' || asset === 'USD');
      for (const sign of [asset, ...signs])
        expect(readPrice(written(asset, units, sign))).toEqual({ price: { asset, units } });
    }),
  );
});

test('what a machine writes, without groups and with a point, is read the same', () => {
  fc.assert(
    fc.property(currency, amounts, (asset, units) => {
      const text = `${asset} ${format({ asset, units })}`;
      expect(readPrice(text)).toEqual({ price: { asset, units } });
    }),
  );
});

test('what a price is shown as is read as that price', () => {
  fc.assert(
    fc.property(currency, amounts, (asset, units) => {
      expect(readPrice(grouped({ asset, units }))).toEqual({ price: { asset, units } });
    }),
  );
});

test('no text breaks it, and what it reads is a price of as many digits as the text has', () => {
  const signs = fc.constantFrom('$', 'Rp', '€', 'USD', '.', ',', ' ', "'", '-', '0', '1', '9');
  const texts = fc.oneof(
    fc.string(),
    fc.array(signs).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const read = readPrice(text);
      if (!('price' in read)) return;
      const { asset, units } = read.price;
      expect(units).toBeGreaterThan(0n);
      const digits = text.normalize('NFKC').replace(/\D/g, '').replace(/^0+/, '');
      const known = `${units}`.replace(/0+$/, '');
      expect(digits.padEnd(SCALE[asset] + digits.length, '0')).toContain(known);
    }),
    { numRuns: 2000 },
  );
});
