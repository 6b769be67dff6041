import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { luhn, openCard } from './card.ts';
import { MERCHANT, terminalIdOf, terminalOf } from './merchant.ts';
import { readCard, traceOf } from './port.ts';

const NOW = new Date('2026-11-20T10:30:00Z');
const NUMBER = '4111111111111111';

const faultOf = (typed: Parameters<typeof readCard>[0]) => {
  const read = readCard(typed, NOW);
  return 'fault' in read ? read.fault : undefined;
};

describe('reading a card', () => {
  test('takes 16 digits with their check digit and nothing else', () => {
    expect(faultOf({ number: NUMBER })).toBeUndefined();
    expect(faultOf({ number: '4111 1111 1111 1111' })).toBeUndefined();
    for (const number of ['4111111111111112', '411111111111111', '4111/1111', '']) {
      expect(faultOf({ number })).toBe('number');
    }
    expect(faultOf({ number: '４１１１１１１１１１１１１１１１' })).toBe('number');
  });

  test('every single mistyped digit is noticed', () => {
    const place = fc.integer({ min: 0, max: 15 });
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(digits, place, fc.integer({ min: 1, max: 9 }), (number, at, by) => {
        const mistyped = number.with(at, ((number[at] ?? 0) + by) % 10);
        expect(luhn(number.join('')) && luhn(mistyped.join(''))).toBe(false);
      }),
    );
  });

  test('a card is valid until its last day has ended everywhere on earth', () => {
    const at = (now: string) =>
      'card' in readCard({ number: NUMBER, expiry: '1126' }, new Date(now));
    expect(at('2026-12-01T11:59:59.999Z')).toBe(true);
    expect(at('2026-12-01T12:00:00Z')).toBe(false);
  });

  test('a card is valid until the month on it has ended', () => {
    expect(faultOf({ number: NUMBER, expiry: '1126' })).toBeUndefined();
    expect(faultOf({ number: NUMBER, expiry: '1026' })).toBe('expiry');
    for (const expiry of ['1326', '0026', '126', '11/26', '2611', '']) {
      expect(faultOf({ number: NUMBER, expiry })).toBe('expiry');
    }
  });

  test('a CVV has three digits', () => {
    expect(faultOf({ number: NUMBER, cvv: '012' })).toBeUndefined();
    for (const cvv of ['12', '1234', 'abc', ''])
      expect(faultOf({ number: NUMBER, cvv })).toBe('cvv');
  });
});

describe('a card that was read', () => {
  const read = readCard({ number: NUMBER, expiry: '0130', cvv: '987' }, NOW);
  if ('fault' in read) throw new Error(read.fault);
  const { card } = read;

  test('opens to the fields that the network needs', () => {
    expect(openCard(card)).toEqual({ number: NUMBER, expiry: '2030-01', cvv: '987' });
    expect(card.last4).toBe('1111');
  });

  test('shows none of them when printed, sent or copied', () => {
    const shown = [
      JSON.stringify({ card }),
      inspect({ deep: [card] }),
      `${card}`,
      String(card),
      JSON.stringify({ ...card }),
      inspect(Object.assign(Object.create(null), card), { showHidden: true, depth: 9 }),
    ].join(' ');
    expect(shown).toContain('[card]');
    for (const secret of [NUMBER, '2030-01', '0130', '987']) expect(shown).not.toContain(secret);
    expect(() => openCard({ ...card })).toThrow('Not a card');
  });
});

describe('the trace of a number', () => {
  test('is year, day, hour and six digits', () => {
    expect(traceOf(0, NOW)).toEqual({ rrn: '632410000000', terminal: 1, at: NOW });
    expect(traceOf(42, NOW).rrn).toBe('632410000042');
  });

  test('is of another terminal after every million, up to 999', () => {
    expect(traceOf(999_999, NOW)).toMatchObject({ rrn: '632410999999', terminal: 1 });
    expect(traceOf(1_000_000, NOW)).toMatchObject({ rrn: '632410000000', terminal: 2 });
    expect(traceOf(998_999_999, NOW)).toMatchObject({ rrn: '632410999999', terminal: 999 });
    for (const none of [999_000_000, -1, Number.NaN]) expect(() => traceOf(none, NOW)).toThrow();
  });

  test('counts the first and the last day of a leap year', () => {
    expect(traceOf(1, new Date('2028-01-01T00:00:00Z')).rrn).toMatch(/^800100/);
    expect(traceOf(1, new Date('2028-12-31T23:59:59Z')).rrn).toMatch(/^836623/);
  });

  test('converts its terminal to the network’s id, and back', () => {
    const of = (terminal: number) => terminalIdOf(MERCHANT, terminal);
    expect([of(1), of(2), of(999)]).toEqual(['ARCHI001', 'ARCHI002', 'ARCHI999']);
    expect([1, 2, 999].map((n) => terminalOf(MERCHANT, of(n)))).toEqual([1, 2, 999]);
    for (const foreign of ['OTHER002', 'ARCHI000', 'ARCHI0002', ''])
      expect(terminalOf(MERCHANT, foreign)).toBeUndefined();
  });
});
