// Long: it loads a library of the provider's users.

import { expect, test } from 'vitest';
import { WhatsAppAPI } from 'whatsapp-api-js';
import { Text } from 'whatsapp-api-js/messages';
import { whatsAppSimulator } from '#sandbox/providers/messages/whatsapp-simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { redirected } from './redirect.ts';

const credentials = { WHATSAPP_PHONE_ID: '1055', WHATSAPP_TOKEN: 'whatsapp-token' };
const sandbox = await testSandbox(whatsAppSimulator(credentials));

const client = (token = credentials.WHATSAPP_TOKEN) =>
  new WhatsAppAPI({
    token,
    secure: false,
    v: 'v20.0',
    ponyfill: { fetch: redirected(`${sandbox.url}/whatsapp`) },
  });
const send = (api: WhatsAppAPI) =>
  api.sendMessage('1055', '6281200001111', new Text('Hello', true), undefined, 'ours-1');

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
