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
