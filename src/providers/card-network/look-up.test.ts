import { expect, test } from 'vitest';
import type { HttpReply } from '../../kernel/provider-call.ts';
import { foundOf } from './look-up.ts';
import { MERCHANT } from './merchant.ts';
import { traceOf } from './port.ts';
import { auditNumber, cardNetworkMovementOf } from './wire.ts';

/** Answers that the real network gives and its simulator does not. */
const trace = traceOf(812, new Date('2026-11-20T10:00:00Z'));
const listed = {
  transactionIdentifier: '388234793890020',
  retrievalReferenceNumber: trace.rrn,
  systemsTraceAuditNumber: auditNumber(trace),
  statusCode: 'COMPLETED',
  actionCode: '00',
  approvalCode: '002798',
  transactionDate: '2026-11-20',
  transactionTime: '10:00:03',
};
const approved = {
  actionCode: '00',
  transactionIdentifier: '388234793890020',
  approvalCode: '002798',
  transmissionDateTime: '2026-11-20T10:00:03.000Z',
};
const answer = (json: unknown): HttpReply => ({
  status: 200,
  headers: {},
  text: JSON.stringify(json),
  json,
});
const look = (...rows: object[]) => foundOf(answer(rows), trace, MERCHANT);
const moved = {
  transactionIdentifier: '388234793890020',
  approvalCode: '002798',
  transmittedAt: '2026-11-20T10:00:03',
  status: 'COMPLETED',
};

test('a call that arrived twice is listed twice, and the one that moved money counts', () => {
  const duplicate = { ...listed, actionCode: '94', approvalCode: '' };
  for (const rows of [
    [duplicate, listed],
    [listed, duplicate],
    [{ ...duplicate, statusCode: 'FAILED' }, listed],
  ])
    expect(look(...rows)).toEqual({ kind: 'done', value: moved });
  expect(look(duplicate)).toMatchObject({ kind: 'refused', code: 'DUPLICATE' });
});

test('the outcome is open while one of several is in flight', () => {
  const failed = { ...listed, statusCode: 'FAILED' };
  const underWay = { ...listed, statusCode: 'IN_PROGRESS' };
  expect(look(failed, underWay)).toMatchObject({ kind: 'unknown' });
  expect(look(failed)).toMatchObject({ kind: 'refused', code: 'DECLINED' });
});

test('the date is read in both orders, and an unreadable time is none', () => {
  expect(look({ ...listed, transactionDate: '20-11-2026' })).toMatchObject({ value: moved });
  expect(look({ ...listed, transactionTime: '10:00:03.512' })).toMatchObject({ value: moved });
  for (const unread of [{ transactionDate: '20.11.26' }, { transactionTime: '10h' }])
    expect(look({ ...listed, ...unread })).toMatchObject({ kind: 'unknown' });
});

test('a look-up has the moved amount, if the network reports it', () => {
  const found = (amountInTransactionCurrency: unknown, transactionCurrencyCode = '840') =>
    look({ ...listed, amountInTransactionCurrency, transactionCurrencyCode });
  const value = (units: bigint, asset = 'USD') => ({ value: { money: { asset, units } } });
  expect(found('25.50')).toMatchObject(value(25_50n));
  expect(found(25.5)).toMatchObject(value(25_50n));
  expect(found('250000', '704')).toMatchObject(value(250_000n, 'VND'));
  for (const unread of [found('25.505'), found('-1'), found('1', '999')])
    expect(unread).toMatchObject({ kind: 'unknown' });
});

test.each(['08', '10', '11', '85'])(
  'an approval of another kind (%s) is no decline: money may have moved',
  (actionCode) => {
    expect(cardNetworkMovementOf(answer({ ...approved, actionCode }))).toMatchObject({
      kind: 'unknown',
    });
    expect(look({ ...listed, actionCode })).toMatchObject({ kind: 'unknown' });
  },
);

test.each([
  { transactionIdentifier: 1_000_000_000_000_000 },
  { approvalCode: 'A'.repeat(21) },
  { transmissionDateTime: 'some time this morning' },
])('an approval that cannot be kept as it is, is looked up: %j', (over) => {
  expect(cardNetworkMovementOf(answer(approved))).toMatchObject({ kind: 'done' });
  expect(cardNetworkMovementOf(answer({ ...approved, ...over }))).toMatchObject({
    kind: 'unknown',
  });
});
