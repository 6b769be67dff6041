import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness({ mock: false });
const SECRET = 'sandbox-whatsapp-app-secret';

/** Sends a code to that number, and answers the message as it is stored. */
async function codeSent(last: string) {
  const phone = `+1500555${last}`;
  const user = await h.user({ phone });
  const body = { usernameoremail: user.email, password: user.password };
  await h.call('POST /auth/login', { body });
  expect((await h.call('POST /users/request-otp', { body: { user_id: user.user_id } }))[0]).toBe(
    200,
  );
  await h.drain();
  const stored = () =>
    h.db
      .selectFrom('messages')
      .select(['message_id', 'status', 'last_error', 'provider_reference', 'attempts'])
      .where('recipient', '=', phone)
      .executeTakeFirstOrThrow();
  return { phone, stored, seen: async () => (await h.messages(phone)).length };
}

const webhook = (status: object, secret = SECRET) => {
  const value = { messaging_product: 'whatsapp', statuses: [status] };
  const entry = [{ id: '1', changes: [{ field: 'messages', value }] }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  const headers = { 'x-hub-signature-256': `sha256=${digest}`, 'content-type': 'application/json' };
  return h.call('POST /whatsapp/webhook', { as: 'nobody', body, headers });
};

test('a message that WhatsApp cannot deliver is failed by its webhook', async () => {
  const { stored } = await codeSent('0002');
  await expect
    .poll(async () => {
      await h.drain();
      return stored();
    })
    .toMatchObject({ status: 'failed', last_error: 'META_131026' });
});

test('a message whose answer got lost is not sent again after its webhook', async () => {
  await h.sandbox('POST', '/faults', { provider: 'whatsapp', kind: 'commit-then-drop' });
  const { stored, seen } = await codeSent('0105');
  await expect
    .poll(async () => {
      await h.drain();
      return (await stored()).status;
    })
    .toBe('sent');
  await h.advance(60);
  await h.drain();
  expect(await seen()).toBe(1);
});

test('a report is handled once, and one on a message of another app is left alone', async () => {
  const { stored } = await codeSent('0106');
  const { message_id } = await stored();
  const report = {
    id: 'wamid.1',
    status: 'failed',
    biz_opaque_callback_data: message_id,
    errors: [{ code: 131_049 }],
  };
  expect(await webhook(report)).toEqual([200, { message: 'Event received' }]);
  expect(await webhook(report)).toEqual([200, { message: 'Event received' }]);
  await h.drain();
  expect(await stored()).toMatchObject({ status: 'failed', last_error: 'META_131049' });
  const { biz_opaque_callback_data: _, ...anonymous } = report;
  expect(await webhook(anonymous)).toEqual([200, { message: 'Event ignored' }]);
  await webhook({ ...report, id: 'wamid.2', biz_opaque_callback_data: 'theirs' });
  await h.drain();
});

test('a report that Meta has not signed is refused', async () => {
  const report = { id: 'wamid.3', status: 'failed' };
  expect(await webhook(report, 'another secret')).toMatchObject([
    401,
    { code: 'INVALID_SIGNATURE' },
  ]);
});

test('the webhook is registered by its verify token', async () => {
  const register = (token: string, challenge = '1158201444') =>
    h.call('GET /whatsapp/webhook', {
      as: 'nobody',
      query: { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': challenge },
    });
  expect(await register('sandbox-whatsapp-verify-token')).toEqual([200, '1158201444']);
  expect((await register('another'))[0]).toBe(403);
  expect((await register('sandbox-whatsapp-verify-token', '<script>'))[0]).toBe(400);
});
