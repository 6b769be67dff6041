import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Asset,
  convert,
  format,
  isAsset,
  money,
  percent,
  SCALE,
  setAssets,
  share,
  sumToWire,
  toWire,
} from './money.ts';

const asset = fc.constantFrom(...(Object.keys(SCALE) as Asset[]));
const units = fc.bigInt({ min: 0n, max: 10n ** 24n });
const anyMoney = fc.record({ asset, units });
const refused = (amount: string | number, of: Asset = 'USD') =>
  expect(() => money(of, amount), String(amount)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR' }),
  );

test('an amount is read exactly, as text or as number', () => {
  expect(money('IDR', '1500.5')).toEqual({ asset: 'IDR', units: 150_050n });
  expect(money('IDR', 0.07)).toEqual({ asset: 'IDR', units: 7n });
  expect(money('VND', 25_000)).toEqual({ asset: 'VND', units: 25_000n });
  expect(money('ETH', '9.300000000000000001').units).toBe(9_300_000_000_000_000_001n);
  expect(money('USD', '1.5').units).toBe(150n);
  expect(money('USDC', '0.010000').units).toBe(10_000n);
  expect(money('VND', '100000.00').units).toBe(100_000n);
  expect(money('VND', '5.0').units).toBe(5n);
});

test('what is no plain decimal from zero up is refused, even if it means a number elsewhere', () => {
  const bad = [
    '',
    ' 1',
    '1 ',
    '-1',
    '+1',
    '1e3',
    '0x10',
    '1,5',
    '.5',
    '5.',
    '007',
    'NaN',
    '١',
    '1\n',
  ];
  for (const text of bad) refused(text);
  for (const number of [-1, -0.01, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7])
    refused(number);
});

test('more decimals than the asset has are refused, never rounded', () => {
  refused('1.001');
  refused(0.1 + 0.2);
  refused('1.5', 'VND');
  refused('0.0000001', 'USDC');
});

test.each<[string, Asset]>([
  ['100.000', 'VND'],
  ['500.000', 'VND'],
  ['1.000', 'VND'],
  ['1.000', 'IDR'],
  ['1.000', 'USD'],
  ['1.5000', 'USD'],
  ['100.000', 'JPY'],
  ['1.0000000', 'USDC'],
])(
  'zeros beyond the decimals of an asset are refused, since a point parts thousands elsewhere: %s %s',
  (text, of) => {
    refused(text, of);
    expect(money(of, Number(text)).units).toBeGreaterThan(0n);
  },
);

test('a text with a point is an amount of that very value, or is refused', () => {
  const written = fc.tuple(fc.nat(999_999), fc.stringMatching(/^\d{1,20}$/));
  fc.assert(
    fc.property(asset, written, (of, [whole, fraction]) => {
      const places = Math.max(SCALE[of], 2);
      const isExact = /^0*$/.test(fraction.slice(SCALE[of]));
      const text = `${whole}.${fraction}`;
      if (fraction.length > places || !isExact) {
        refused(text, of);
        return;
      }
      const units = `${whole}${fraction.slice(0, SCALE[of]).padEnd(SCALE[of], '0')}`;
      expect(money(of, text).units).toBe(BigInt(units));
    }),
  );
});

test('more digits than an amount can need, or than a float keeps, are refused', () => {
  refused('9'.repeat(31), 'VND');
  refused(`${'9'.repeat(13)}.${'0'.repeat(18)}`, 'ETH');
  refused(2 ** 53, 'VND');
  refused('1'.repeat(100_000), 'VND');
  expect(money('VND', '9'.repeat(30)).units).toBe(10n ** 30n - 1n);
});

test('format and money undo each other', () => {
  fc.assert(
    fc.property(anyMoney, (amount) => {
      expect(money(amount.asset, format(amount))).toEqual(amount);
    }),
  );
});

test('a negative balance keeps its sign and its leading zeros', () => {
  expect(format({ asset: 'USD', units: -5n })).toBe('-0.05');
  expect(format({ asset: 'VND', units: -5n })).toBe('-5');
});

test('a fiat amount goes to the wire as the number it came from, or not at all', () => {
  const fiat = fc.record({
    asset: fc.constantFrom<Asset>('USD', 'IDR', 'VND'),
    units: fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }),
  });
  fc.assert(
    fc.property(fiat, (amount) => {
      expect(money(amount.asset, toWire(amount))).toEqual(amount);
    }),
  );
  expect(() => toWire({ asset: 'IDR', units: 9_007_199_254_740_991n })).toThrow(/no exact/);
});

test('a rounded share is within a unit of the exact one, never on the wrong side', () => {
  fc.assert(
    fc.property(anyMoney, fc.bigInt({ min: 0n, max: 20_000n }), (amount, points) => {
      const exact = amount.units * points;
      const down = share(amount, points, 'down').units * 10_000n;
      const up = share(amount, points, 'up').units * 10_000n;
      expect(down <= exact && exact - down < 10_000n).toBe(true);
      expect(up >= exact && up - exact < 10_000n).toBe(true);
    }),
  );
  expect(share({ asset: 'IDR', units: 101n }, 50n, 'up').units).toBe(1n);
  expect(share({ asset: 'IDR', units: 101n }, 50n, 'down').units).toBe(0n);
  expect(share({ asset: 'IDR', units: 100n }, 50n, 'nearest').units).toBe(1n);
});

test('a percentage is the same share', () => {
  fc.assert(
    fc.property(anyMoney, (amount) => {
      expect(percent(amount, '0.25', 'up')).toEqual(share(amount, 25n, 'up'));
    }),
  );
});

test('a conversion changes scale and asset exactly', () => {
  expect(convert(money('USD', '10.00'), '15875.5', 'IDR', 'down')).toEqual(
    money('IDR', '158755.00'),
  );
  expect(convert(money('IDR', '1.00'), '0.000063', 'USDC', 'down').units).toBe(63n);
  expect(convert(money('VND', '1'), '0.00004', 'USD', 'up').units).toBe(1n);
});

test('going there and back rounded down never makes money', () => {
  const rate = fc.tuple(fc.nat(99_999), fc.integer({ min: 1, max: 999_999 }));
  fc.assert(
    fc.property(anyMoney, asset, rate, (amount, to, [whole, part]) => {
      const numerator = BigInt(whole) * 1_000_000n + BigInt(part);
      const there = convert(amount, `${whole}.${String(part).padStart(6, '0')}`, to, 'down');
      const value = amount.units * numerator * 10n ** BigInt(SCALE[to]);
      const scale = 1_000_000n * 10n ** BigInt(SCALE[amount.asset]);
      expect(there.units * scale <= value).toBe(true);
      expect((there.units + 1n) * scale > value).toBe(true);
    }),
  );
});

test('only the assets of the table are assets', () => {
  expect(['IDR', 'idr', 'toString', '__proto__', ''].filter(isAsset)).toEqual(['IDR']);
});

test('a refused amount says how to write it', () => {
  expect(() => money('USD', 'ten')).toThrow('Amount must be a non-negative decimal number');
  expect(() => money('VND', '1.5')).toThrow('Amount has more than the 0 decimals of VND');
  expect(() => money('VND', '1.5')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('Round it to 0 decimals') }),
  );
  expect(() => money('VND', '9'.repeat(31))).toThrow('Amount has more than 30 digits');
  expect(() => money('VND', 2 ** 53)).toThrow('send it as text');
  expect(money('USD', 1_234_567_890_123.45).units).toBe(123_456_789_012_345n);
});

test('a sum of many payments goes to the wire as the nearest number', () => {
  expect(sumToWire({ asset: 'IDR', units: 9_007_199_254_740_993n })).toBe(90_071_992_547_409.94);
});

test('a share or a percentage of less than nothing is a mistake', () => {
  expect(() => share({ asset: 'USD', units: 1n }, -1n, 'up')).toThrow('A share is not negative');
  expect(share({ asset: 'USD', units: 1n }, 0n, 'up').units).toBe(0n);
});

test('the ledger may have more assets than the code, and never other decimals for one of them', () => {
  try {
    setAssets([
      { asset: 'USD', scale: 2 },
      { asset: 'GOLD', scale: 4 },
    ]);
    expect(isAsset('GOLD')).toBe(true);
    expect(format({ asset: 'GOLD' as Asset, units: 12_345n })).toBe('1.2345');
    expect(() => setAssets([{ asset: 'USD', scale: 3 }])).toThrow('USD has 2 decimals here, and 3');
    expect(isAsset('GOLD')).toBe(true);
  } finally {
    setAssets([]);
  }
  expect(isAsset('GOLD')).toBe(false);
  expect(SCALE.USD).toBe(2);
});
