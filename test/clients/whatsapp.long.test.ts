// Long: it loads a library of the provider's users.

import { expect, test } from 'vitest';
import { WhatsAppAPI } from 'whatsapp-api-js';
import { BodyComponent, BodyParameter, Language, Template, Text } from 'whatsapp-api-js/messages';
import { whatsAppSimulator } from '#sandbox/providers/messages/whatsapp-simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { redirected } from './redirect.ts';

const credentials = {
  WHATSAPP_PHONE_ID: '1055',
  WHATSAPP_TOKEN: 'whatsapp-token',
  WHATSAPP_APP_SECRET: 'app-secret',
  WHATSAPP_VERIFY_TOKEN: 'verify-token',
};
const sandbox = await testSandbox(whatsAppSimulator(credentials));

const client = (token = credentials.WHATSAPP_TOKEN, v = 'v25.0') =>
  new WhatsAppAPI({
    token,
    secure: false,
    v,
    ponyfill: { fetch: redirected(`${sandbox.url}/whatsapp`) },
  });
const send = (api: WhatsAppAPI, to = '6281200001111') =>
  api.sendMessage('1055', to, new Text('Hello'), undefined, 'ours-1');

test('whatsapp-api-js sends a text', async () => {
  expect(await send(client())).toMatchObject({
    messaging_product: 'whatsapp',
    contacts: [{ input: '6281200001111', wa_id: '6281200001111' }],
    messages: [{ id: expect.stringMatching(/^wamid\./) }],
  });
});

test('whatsapp-api-js reads the code of a refused token', async () => {
  expect(await send(client('another'))).toMatchObject({ error: { code: 190 } });
});

test('whatsapp-api-js calls by any version that has been released, an ended one too', async () => {
  for (const version of ['v20.0', 'v21.0', 'v24.0', 'v26.0'])
    expect(await send(client(undefined, version))).toHaveProperty('messages');
  expect(await send(client(undefined, 'v99.0'))).toMatchObject({ error: { code: 2500 } });
});

test('whatsapp-api-js sends a template with parameters, and marks a message as read', async () => {
  const template = new Template(
    'news',
    new Language('en_US'),
    new BodyComponent(new BodyParameter('Ada')),
  );
  expect(await client().sendMessage('1055', '6281200002222', template)).toHaveProperty('messages');
  const shown = await sandbox.world.records.list('messages', 'message', {
    where: { receiver: '6281200002222' },
  });
  expect(shown).toMatchObject([{ channel: 'whatsapp', text: 'Ada' }]);
  expect(await client().markAsRead('1055', 'wamid.1')).toEqual({ success: true });
});

test('whatsapp-api-js verifies the webhook that reports what was sent', async () => {
  const seen = sandbox.received.length;
  await send(client(), '15005550002');
  await expect.poll(() => sandbox.received.length).toBe(seen + 1);
  const [webhook] = sandbox.received.slice(seen);
  const api = new WhatsAppAPI({
    token: 'token',
    v: 'v25.0',
    appSecret: credentials.WHATSAPP_APP_SECRET,
    webhookVerifyToken: 'verify-token',
    ponyfill: { subtle: crypto.subtle },
  });
  const reported: unknown[] = [];
  api.on.status = ({ id, status, biz_opaque_callback_data, error }) =>
    void reported.push({ id, status, data: biz_opaque_callback_data, code: error?.code });
  const raw = webhook?.raw.toString() ?? '';
  const signature = String(webhook?.headers['x-hub-signature-256']);
  expect(webhook?.path).toBe('/api/whatsapp/webhook');
  await api.post(JSON.parse(raw), raw, signature);
  await expect
    .poll(() => reported)
    .toMatchObject([{ status: 'failed', data: 'ours-1', code: 131_026 }]);
  await expect(api.post(JSON.parse(raw), `${raw} `, signature)).rejects.toThrow();
});
