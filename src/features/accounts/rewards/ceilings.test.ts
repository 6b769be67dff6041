import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness({ mock: false, config: { TRUST_PROXY: '1', DAILY_SMS: '60' } });
// Strangers may use half of the day's ceiling, and the day should not end meanwhile.
await h.advance(86_400 - (h.clock.seconds() % 86_400));

let serial = 0;
const ask = (key: string, ip: string) => {
  serial += 1;
  return h.call('POST /xotp/request', {
    key,
    headers: { 'x-forwarded-for': ip },
    body: {
      phone_number: `+62815${String(serial).padStart(7, '0')}`,
      purpose: 'login',
      channel: 'sms',
    },
  });
};
const sentOf = (answers: readonly [number, unknown][]) =>
  answers.filter(([status]) => status === 200).length;

test('keys without a client send half a day’s codes; approved apps still have theirs', async () => {
  const strangers: [number, unknown][] = [];
  for (let n = 0; n < 35; n += 1) strangers.push(await ask(await h.apiKey(), `198.51.100.${n}`));
  expect(sentOf(strangers)).toBe(30);
  expect(strangers.at(-1)).toMatchObject([429, { code: 'RATE_LIMITED' }]);
  expect(h.logs.filter((line) => line.includes('sms a day by strangers'))).toHaveLength(2);

  const { client_id } = await h.client();
  const key = await h.apiKey({ client_id });
  expect((await ask(key, '203.0.113.2'))[0]).toBe(429);
  await h.db
    .updateTable('clients')
    .set({ client_status: 'ACTIVE' })
    .where('client_id', '=', client_id)
    .execute();
  expect((await ask(key, '203.0.113.2'))[0]).toBe(200);
  // A code that was not sent is not stored.
  const { n } = await h.db
    .selectFrom('phone_codes')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  expect(Number(n)).toBe(31);
});
