// Long: it loads the provider's own library.

import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { expect, test } from 'vitest';
import { smsSimulator } from '#sandbox/providers/messages/sms-simulator.ts';
import { testSandbox } from '#test/sandbox.ts';

const ACCOUNT = `AC${'0'.repeat(32)}`;
const FROM = '+15005550006';
const sandbox = await testSandbox(smsSimulator({ SMS_ACCOUNT: ACCOUNT, SMS_TOKEN: 'sms-token' }));

/** The library names its host in code. */
class Redirected extends twilio.RequestClient {
  override request<T>(options: RequestClient.RequestOptions<T>) {
    const { pathname, search } = new URL(options.uri);
    return super.request<T>({ ...options, uri: `${sandbox.url}/sms${pathname}${search}` });
  }
}
const client = (token = 'sms-token') => twilio(ACCOUNT, token, { httpClient: new Redirected() });

test('twilio creates messages and lists those to one number', async () => {
  const { messages } = client();
  const made = await messages.create({ to: '+6281200002222', from: FROM, body: 'Hello' });
  expect(made.sid).toMatch(/^SM[0-9a-f]{32}$/);
  await messages.create({ to: '+6281200003333', from: FROM, body: 'Another' });
  const listed = await messages.list({ to: '+6281200002222' });
  expect(listed.map(({ sid }) => sid)).toEqual([made.sid]);
});

test('twilio reads the codes of refusals', async () => {
  const wish = { to: '+15005550001', from: FROM, body: 'Hello' };
  await expect(client().messages.create(wish)).rejects.toMatchObject({ status: 400, code: 21_211 });
  await expect(client('other').messages.create(wish)).rejects.toMatchObject({
    status: 401,
    code: 20_003,
  });
});

test('twilio fetches, pages through and removes messages, and reads the account', async () => {
  const { messages, api } = client();
  const to = '+6281200004444';
  const sids: string[] = [];
  for (const body of ['one', 'two', 'three'])
    sids.unshift((await messages.create({ to, messagingServiceSid: 'MG1', body })).sid);
  const listed = await messages.list({ to, pageSize: 1 });
  expect(listed.map(({ sid }) => sid)).toEqual(sids);
  const [sid = ''] = sids;
  expect(await messages(sid).fetch()).toMatchObject({ body: 'three', status: 'delivered' });
  expect(await messages.list({ to, dateSentAfter: new Date(Date.now() + 86_400_000) })).toEqual([]);
  expect(await messages(sid).remove()).toBe(true);
  await expect(messages(sid).fetch()).rejects.toMatchObject({ status: 404, code: 20_404 });
  expect((await api.v2010.accounts(ACCOUNT).fetch()).status).toBe('active');
});

test('twilio refuses what is too long, and wrong credentials before a wrong body', async () => {
  const long = { to: '+6281200002222', from: FROM, body: 'x'.repeat(1601) };
  await expect(client().messages.create(long)).rejects.toMatchObject({ code: 21_617 });
  await expect(
    client('other').messages.create({ to: '', from: '', body: '' }),
  ).rejects.toMatchObject({
    code: 20_003,
  });
});

test('twilio verifies the report of a message that could not be delivered', async () => {
  const statusCallback = `${sandbox.world.serviceUrl()}/sms/report?message=1`;
  const seen = sandbox.received.length;
  await client().messages.create({ to: '+15005550009', from: FROM, body: 'Hello', statusCallback });
  await expect.poll(() => sandbox.received.length).toBe(seen + 1);
  const [report] = sandbox.received.slice(seen);
  const fields = Object.fromEntries(new URLSearchParams(report?.raw.toString()));
  expect(fields).toMatchObject({ MessageStatus: 'undelivered', ErrorCode: '30003' });
  const signature = String(report?.headers['x-twilio-signature']);
  expect(twilio.validateRequest('sms-token', signature, statusCallback, fields)).toBe(true);
  expect(twilio.validateRequest('other', signature, statusCallback, fields)).toBe(false);
});
