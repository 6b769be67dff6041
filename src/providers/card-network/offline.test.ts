import { expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { ALSO_GOOD, card, DECLINED, GOOD, POOR, refusal, SILENT, usd } from '#test/test-network.ts';
import { offlineNetwork } from './offline.ts';
import { traceOf } from './port.ts';

const clock = createClock();
const network = offlineNetwork(clock);
const trace = traceOf(7, clock.now());
const charge = (number: string, expiry?: string) => ({
  trace,
  card: card(number, expiry),
  money: usd('5.00'),
});

test.each([GOOD, ALSO_GOOD, SILENT])('%s settles at once, and the same again', async (number) => {
  const [first, second] = [await network.pull(charge(number)), await network.pull(charge(number))];
  expect(first).toMatchObject({
    kind: 'done',
    value: {
      transactionIdentifier: expect.stringMatching(/^\d{15}$/),
      approvalCode: expect.stringMatching(/^\d{6}$/),
    },
  });
  expect(second).toEqual(first);
  const push = { ...charge(number), recipientName: 'A B', reference: 'R' };
  expect(await network.push(push)).toMatchObject({ kind: 'done' });
});

test('the test cards that decline still decline', async () => {
  expect(await network.pull(charge(DECLINED))).toMatchObject(refusal('DECLINED'));
  expect(await network.pull(charge(POOR))).toMatchObject(refusal('INSUFFICIENT_FUNDS'));
  expect(await network.pull(charge(GOOD, '0120'))).toMatchObject(refusal('EXPIRED_CARD'));
  const push = { ...charge(DECLINED), recipientName: 'A B', reference: 'R' };
  expect(await network.push(push)).toMatchObject(refusal('DECLINED'));
  expect(await network.validate(charge(DECLINED))).toMatchObject(refusal('DECLINED'));
  expect(await network.validate(charge(POOR))).toMatchObject({ kind: 'done' });
});

test('it stores no transactions', async () => {
  await network.pull(charge(GOOD));
  expect(await network.find(trace)).toEqual({ kind: 'done', value: undefined });
});
