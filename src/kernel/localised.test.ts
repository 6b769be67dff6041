import { expect, test } from 'vitest';
import { causedBy } from './cause.ts';
import { languageNow, localAmount, localDay, localMoment } from './localised.ts';

test('amounts are grouped as readers of the language write them, to the last digit', () => {
  const cases = [
    ['USD', 123_450n, 'USD 1,234.50', 'USD 1.234,50'],
    ['IDR', 1_500_000_00n, 'IDR 1,500,000', 'IDR 1.500.000'],
    ['IDR', 150_050n, 'IDR 1,500.50', 'IDR 1.500,50'],
    ['VND', 25_000n, 'VND 25,000', 'VND 25.000'],
    ['USDC', 1n, 'USDC 0.000001', 'USDC 0,000001'],
    ['USD', 999_999_999_999_999_99n, 'USD 999,999,999,999,999.99', 'USD 999.999.999.999.999,99'],
  ] as const;
  for (const [asset, units, en, id] of cases) {
    expect(localAmount('en', { asset, units })).toBe(en);
    expect(localAmount('id', { asset, units })).toBe(id);
  }
});

test('days and moments are those of the language, in UTC', () => {
  const at = '2026-05-03T23:04:59.999Z';
  expect(localDay('en', at)).toBe('3 May 2026');
  expect(localDay('id', at)).toBe('3 Mei 2026');
  expect(localMoment('en', at)).toBe('3 May 2026, 23:04 UTC');
  expect(localMoment('id', at)).toBe('3 Mei 2026, 23.04 UTC');
});

test('the language of the current request is the one that its caller accepts best', () => {
  const cause = () => ({
    request_id: null,
    idempotency_key: null,
    actor: 'anyone',
    operation: null,
  });
  const now = (accepted: string | undefined) =>
    causedBy({ cause, accepts: () => accepted }, () => languageNow());
  expect(languageNow()).toBe('en');
  expect(now(undefined)).toBe('en');
  expect(now('id-ID,id;q=0.9,en;q=0.8')).toBe('id');
  expect(now('*')).toBe('en');
});
