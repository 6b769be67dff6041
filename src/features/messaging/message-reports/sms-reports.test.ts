import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness();
const TOKEN = h.kernel.config.SMS_TOKEN;

/** Sends a code by SMS to that number, and answers the message as it is stored. */
async function codeSent(phone: string) {
  await h.user({ phone });
  const body = { phone, channel: 'sms' };
  expect((await h.call('POST /mobile/login/request', { body }))[0]).toBe(200);
  await h.drain();
  const stored = () =>
    h.db
      .selectFrom('messages')
      .select(['message_id', 'channel', 'status', 'last_error', 'attempts'])
      .where('recipient', '=', phone)
      .executeTakeFirstOrThrow();
  return { stored, seen: async () => (await h.messages(phone)).length };
}

const report = (message: string, fields: Record<string, string>, token = TOKEN) => {
  const path = `/api/sms/webhook?message=${message}`;
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = `${h.kernel.publicUrl()}${path}${sorted.flat().join('')}`;
  return fetch(`${h.kernel.publicUrl()}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', token).update(text).digest('base64'),
    },
    body: new URLSearchParams(fields).toString(),
  });
};

test('an SMS that cannot be delivered is failed by Twilio’s report', async () => {
  const { stored } = await codeSent('+15005550009');
  await expect
    .poll(async () => {
      await h.drain();
      return stored();
    })
    .toMatchObject({ channel: 'sms', status: 'failed', last_error: 'TWILIO_30003' });
});

test('a report counts once, and later ones do not undo it', async () => {
  const { stored } = await codeSent('+15005550107');
  const { message_id } = await stored();
  const fields = { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: '30005' };
  for (let n = 0; n < 2; n += 1) expect((await report(message_id, fields)).status).toBe(200);
  await h.drain();
  expect(await stored()).toMatchObject({ status: 'failed', last_error: 'TWILIO_30005' });
  await report(message_id, { MessageSid: 'SM1', MessageStatus: 'sent' });
  await h.drain();
  expect(await stored()).toMatchObject({ status: 'failed' });
});

test('a report that Twilio has not signed for that address is refused', async () => {
  const { stored } = await codeSent('+15005550108');
  const { message_id } = await stored();
  const fields = { MessageSid: 'SM2', MessageStatus: 'failed' };
  expect((await report(message_id, fields, 'another')).status).toBe(401);
  const { status } = await stored();
  expect(status).not.toBe('failed');
});
