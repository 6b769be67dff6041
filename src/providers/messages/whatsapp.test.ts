import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { atEnd } from '#test/at-end.ts';
import { whatsAppWebhooks } from './adapter.ts';
import { whatsAppSender } from './whatsapp.ts';

/** A server that answers as Meta documents it. */
let answer: { readonly status: number; readonly body: unknown } = { status: 200, body: {} };
const called: string[] = [];
const server = createServer((request, response) => {
  called.push(request.url ?? '');
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
atEnd(async () => {
  server.close();
  server.closeAllConnections();
});
const { port } = server.address() as AddressInfo;
const send = whatsAppSender({
  url: () => `http://127.0.0.1:${port}`,
  version: 'v25.0',
  phoneId: '1055',
  token: 'token',
});
const sent = (code: number, status = 400) => {
  answer = { status, body: { error: { code, message: `(#${code})`, type: 'OAuthException' } } };
  return send({ id: 'm1', at: new Date(), to: '+6281200001111', text: 'Code: 123456' });
};

test('WhatsApp is called by the version of the settings', async () => {
  await sent(1);
  expect(called.at(-1)).toBe('/v25.0/1055/messages');
});

test.each([4, 80_007, 130_429, 131_048, 131_056, 131_000, 131_016, 1, 2])(
  'WhatsApp that throttles or fails with 400 and code %i is called again later',
  async (code) => {
    expect(await sent(code)).toEqual({ kind: 'unknown', cause: `Meta ${code}` });
  },
);

test.each([
  [190, 401],
  [10, 403],
  [200, 403],
  [131_042, 400],
  [131_031, 403],
])(
  'WhatsApp that an operator has to set right by code %i keeps the message',
  async (code, status) => {
    expect(await sent(code, status)).toMatchObject({ kind: 'unknown' });
  },
);

test.each([100, 131_008, 131_009, 131_026, 131_030, 131_047, 131_051, 132_000, 132_001, 132_015])(
  'WhatsApp refuses a message for good by code %i',
  async (code) => {
    expect(await sent(code)).toMatchObject({ kind: 'refused', code: `META_${code}` });
  },
);

test('a webhook is believed by the signature over its bytes alone', () => {
  const reports = whatsAppWebhooks({ WHATSAPP_APP_SECRET: 'app', WHATSAPP_VERIFY_TOKEN: 'verify' });
  const raw = Buffer.from('{"entry":"\\u00e9"}');
  const signed = (secret: string) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`,
  });
  expect(reports.isGenuine(raw, signed('app'))).toBe(true);
  expect(reports.isGenuine(raw, signed('other'))).toBe(false);
  expect(reports.isGenuine(Buffer.from('{"entry":"é"}'), signed('app'))).toBe(false);
  expect(reports.isGenuine(raw, {})).toBe(false);
  expect([reports.mayRegister('verify'), reports.mayRegister('')]).toEqual([true, false]);
  const none = whatsAppWebhooks({ WHATSAPP_APP_SECRET: '', WHATSAPP_VERIFY_TOKEN: '' });
  expect([none.isGenuine(raw, signed('')), none.mayRegister('')]).toEqual([false, false]);
});
