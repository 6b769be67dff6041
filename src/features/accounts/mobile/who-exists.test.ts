import { expect, test } from 'vitest';
import { testDevice } from '#test/devices.ts';
import { type Body, harness } from '#test/harness.ts';
import { codeTo } from '#test/mails.ts';
import { sent } from '#test/statements.ts';

/** Out of mock mode, where a key without a client serves the operator's own users. */
const h = await harness({ mock: false });
await h.operator();
const [KNOWN, UNKNOWN, ELSEWHERE] = ['+12025554001', '+12025554002', '+12025554003'];
await h.user({ client_id: 1, phone: KNOWN });
await h.user({ phone: ELSEWHERE });

const request = (phone: string) =>
  h.call('POST /mobile/login/request', { body: { phone, channel: 'sms' } });

/** The statements of one call; others may send some at the same moment, so the fewest of several. */
async function workOf(call: () => Promise<unknown>, pause_s = 0): Promise<string[]> {
  const tries: string[][] = [];
  for (let n = 0; n < 4; n += 1) {
    if (pause_s > 0) await h.advance(pause_s);
    sent.length = 0;
    await call();
    tries.push([...sent]);
  }
  return tries.reduce((fewest, one) => (one.length < fewest.length ? one : fewest));
}

test('a phone of the operator’s user gets a code, one of another client’s none', async () => {
  for (const phone of [KNOWN, ELSEWHERE, UNKNOWN]) expect((await request(phone))[0]).toBe(200);
  expect(await codeTo(h, KNOWN)).toMatch(/^\d{6}$/);
  for (const phone of [ELSEWHERE, UNKNOWN]) expect(await codeTo(h, phone)).toBe('none');
});

test('a request and a wrong code take the same work for known and unknown phones', async () => {
  const device = await testDevice(h);
  const works: Body[] = [];
  for (const phone of [KNOWN, UNKNOWN]) {
    const asked = await workOf(() => request(phone), 31);
    await h.advance(31);
    const [, { data }] = await request(phone);
    await h.drain();
    const { otp_id } = data;
    const wrong = () =>
      device.call('/mobile/login', { otp_id, otp_code: 'none', device: device.description });
    works.push({ asked, wrong: await workOf(wrong) });
  }
  expect(works[0]).toEqual(works[1]);
});
