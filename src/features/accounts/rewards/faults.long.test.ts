// Long: the senders of messages fail in every way.

import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

/** The rewards app while the senders of its messages misbehave. */
const h = await harness({ mock: false });

const KINDS = ['delay', 'refuse', 'drop', 'commit-then-drop', 'error'] as const;
let serial = 0;
const newPhone = () => {
  serial += 1;
  return `+62816${String(serial).padStart(7, '0')}`;
};
const arm = (provider: string, kind: string) =>
  h.sandbox('POST', '/faults', { provider, kind, times: 1, ms: 20 });
/** Long enough for a second try, and too short for any code to lapse. */
async function deliver() {
  await h.drain();
  await h.advance(10);
  await h.drain();
}
/** Waits until the provider's report has marked the message as sent. */
const reported = (phone: string) =>
  expect
    .poll(async () => {
      await h.drain();
      const sent = h.db.selectFrom('messages').select('status').where('recipient', '=', phone);
      return (await sent.executeTakeFirst())?.status;
    })
    .toBe('sent');
const codeIn = (text: string) => /^Code: (\d{6})$/m.exec(text)?.[1];

test.each(
  KINDS.flatMap((kind) => [['whatsapp', 'wa', kind] as const, ['sms', 'sms', kind] as const]),
)('a code by %s (%s) that meets %s arrives once, and works', async (provider, channel, kind) => {
  const phone_number = newPhone();
  const proof = { phone_number, purpose: 'login' };
  await arm(provider, kind);
  const [status] = await h.call('POST /xotp/request', { body: { ...proof, channel } });
  expect(status).toBe(200);
  // WhatsApp repeats a repeated message: its webhook has to be there before the second try.
  if (provider === 'whatsapp' && kind === 'commit-then-drop') await reported(phone_number);
  await deliver();
  const received = await h.messages(phone_number);
  expect(received).toHaveLength(1);
  const otp_code = codeIn(received[0].text);
  expect((await h.call('POST /xotp/verify', { body: { ...proof, otp_code } }))[0]).toBe(200);
});

test.each(KINDS)('points are paid once while pushes meet %s, and pushed once', async (kind) => {
  const phone = newPhone();
  await arm('push', kind);
  const [, as] = await h.call('POST /xusers/login', { body: { phone } });
  expect(as.user.point_balance).toBe(50);
  await deliver();
  expect(await h.messages(phone)).toHaveLength(1);
  const [, { profile }] = await h.call('GET /xprofiles/getme', { as });
  expect(profile.point_balance).toBe(50);
});

test.each(KINDS)('an email code that meets %s arrives once, and works', async (kind) => {
  const email = `${kind}@example.test`;
  const [, as] = await h.call('POST /xusers/login', { body: { phone: newPhone() } });
  await arm('email', kind);
  await h.call('POST /xmail/verify-email', { as, body: { email } });
  await deliver();
  const received = await h.messages(email);
  expect(received).toHaveLength(1);
  const body = { otp_code: codeIn(received[0].text) };
  expect(await h.call('POST /xmail/confirm-email', { as, body })).toMatchObject([
    200,
    { points_awarded: 50 },
  ]);
});

test('a code that lapses while its provider is away is never delivered', async () => {
  const phone_number = newPhone();
  await h.sandbox('POST', '/faults', { provider: 'sms', kind: 'error', times: 20 });
  const body = { phone_number, purpose: 'login', channel: 'sms' };
  await h.call('POST /xotp/request', { body });
  for (let minute = 0; minute < 6; minute += 1) {
    await h.drain();
    await h.advance(60);
  }
  await h.drain();
  expect(await h.messages(phone_number)).toEqual([]);
});
