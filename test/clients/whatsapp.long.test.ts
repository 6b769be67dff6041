// Long: it loads a library of the provider's users.

import { expect, test } from 'vitest';
import { WhatsAppAPI } from 'whatsapp-api-js';
import {
  ActionButtons,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  Interactive,
  Language,
  Template,
  Text,
} from 'whatsapp-api-js/messages';
import { socialControls } from '#sandbox/providers/messages/social-controls.ts';
import { pressOnWhatsApp, writeOnWhatsApp } from '#sandbox/providers/messages/whatsapp-people.ts';
import { whatsAppSimulator } from '#sandbox/providers/messages/whatsapp-simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { redirected } from './redirect.ts';

const credentials = {
  WHATSAPP_PHONE_ID: '1055',
  WHATSAPP_TOKEN: 'whatsapp-token',
  WHATSAPP_APP_SECRET: 'app-secret',
  WHATSAPP_VERIFY_TOKEN: 'verify-token',
};
const sandbox = await testSandbox(
  whatsAppSimulator(credentials),
  socialControls({
    telegram: { write: async () => false, press: async () => false },
    whatsapp: {
      write: (world, written) => writeOnWhatsApp(world, credentials, written),
      press: (world, pressed) => pressOnWhatsApp(world, credentials, pressed),
    },
  }),
);

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

test('whatsapp-api-js hears a person who writes and presses a button that it has sent', async () => {
  const api = new WhatsAppAPI({
    token: credentials.WHATSAPP_TOKEN,
    v: 'v25.0',
    appSecret: credentials.WHATSAPP_APP_SECRET,
    webhookVerifyToken: 'verify-token',
    ponyfill: { subtle: crypto.subtle, fetch: redirected(`${sandbox.url}/whatsapp`) },
  });
  const heard: unknown[] = [];
  api.on.message = ({ from, name, message }) => {
    const content = message.type === 'text' ? message.text : { type: message.type };
    const pressed = message.type === 'interactive' ? message.interactive : {};
    heard.push({ from, name, ...content, ...pressed });
  };
  const pass = async () => {
    const { raw, headers, path } = sandbox.received.at(-1) ?? {};
    expect(path).toBe('/api/socialbot/whatsapp/webhook');
    const text = raw?.toString() ?? '';
    await api.post(JSON.parse(text), text, String(headers?.['x-hub-signature-256']));
  };
  const from = '6281200009999';
  const path = '/social/whatsapp';
  await sandbox.control(`POST ${path}/messages`, { from, name: 'Ada', text: 'ABCD2345' });
  await pass();
  const buttons = new ActionButtons(new Button('y.1', 'Ya'), new Button('n.1', 'Tidak'));
  const asked = new Interactive(buttons, new Body('Hubungkan?'));
  expect(await api.sendMessage('1055', from, asked)).toHaveProperty('messages');
  await sandbox.control(`POST ${path}/press`, { from, button: 'Ya' });
  await pass();
  await expect
    .poll(() => heard)
    .toMatchObject([
      { from, name: 'Ada', body: 'ABCD2345' },
      { from, type: 'button_reply', button_reply: { id: 'y.1', title: 'Ya' } },
    ]);
});

test('buttons for a person who has not written for a day are reported as failed', async () => {
  const seen = sandbox.received.length;
  const buttons = new ActionButtons(new Button('y.1', 'Ya'));
  await client().sendMessage('1055', '6281200008888', new Interactive(buttons, new Body('?')));
  await expect.poll(() => sandbox.received.length).toBe(seen + 1);
  expect(sandbox.received.at(-1)?.raw.toString()).toContain('131047');
});
