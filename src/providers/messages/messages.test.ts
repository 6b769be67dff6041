import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { mailSink } from '#sandbox/providers/messages/mail-sink.ts';
import { messageSimulators } from '#sandbox/providers/messages/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { createMessageSenders } from './adapter.ts';
import { mailSender } from './email.ts';
import type { Channel, OutgoingMessage } from './port.ts';

const config = loadConfig({ NODE_ENV: 'test', SANDBOX_SMTP_PORT: '0' });
const { simulators, smtpUrl } = messageSimulators(config);
const { url, world, clock, control } = await testSandbox(...simulators);
const places = { url: () => url, smtpUrl };
const messageSenders = createMessageSenders(config, places);

const RECEIVERS: Record<Channel, string> = {
  email: 'Ada@Example.test',
  whatsapp: '+62 812-0000-1111',
  sms: '+62 812 0000 2222',
  push: 'device-token-1',
  telegram: '70010001',
};
const channels = Object.keys(RECEIVERS) as Channel[];
// A bot reaches those only who have written to it.
await control('POST /social/telegram/messages', { from: '70010001', name: 'Ada', text: 'Hello' });

const message = (to: string, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: randomUUID(),
  at: clock.now(),
  to,
  subject: 'Hello',
  text: `Welcome.\n\nCode: ${randomUUID()}`,
  ...more,
});
const inbox = async (to: string, channel?: Channel) => {
  const query = new URLSearchParams({ to, ...(channel ? { channel } : {}) });
  const { body } = await control(`GET /messages?${query}`);
  return body as { id: string; to: string; channel: string; text: string; subject?: string }[];
};
const times = async (channel: Channel, { text }: OutgoingMessage) =>
  (await inbox(RECEIVERS[channel], channel)).filter((received) => received.text === text).length;

test.each(channels)('%s arrives as it was written, where it was sent', async (channel) => {
  const sent = message(RECEIVERS[channel]);
  const outcome = await messageSenders[channel](sent);
  expect(outcome).toMatchObject({ kind: 'done', value: { reference: expect.any(String) } });
  const [received] = await inbox(RECEIVERS[channel], channel);
  expect(received).toMatchObject({ channel, text: sent.text, created_at: expect.any(String) });
  expect(received).not.toHaveProperty('receiver');
  if (channel === 'email' || channel === 'push') expect(received?.subject).toBe('Hello');
});

/** Meta sends twice what it is given twice; only its webhook keeps us from asking (message-reports). */
const shownAgain = (channel: Channel) => (['whatsapp', 'telegram'].includes(channel) ? 2 : 1);

test.each(channels)('%s that repeats a message shows it as the provider does', async (channel) => {
  const sent = message(RECEIVERS[channel]);
  await messageSenders[channel](sent);
  expect(await messageSenders[channel](sent, { again: true })).toMatchObject({ kind: 'done' });
  expect(await times(channel, sent)).toBe(shownAgain(channel));
});

test.each(channels)(
  '%s whose answer is lost is unknown, and done after a retry',
  async (channel) => {
    const sent = message(RECEIVERS[channel]);
    await control('POST /faults', { provider: channel, kind: 'commit-then-drop' });
    expect(await messageSenders[channel](sent)).toMatchObject({ kind: 'unknown' });
    expect(await times(channel, sent)).toBe(1);
    expect(await messageSenders[channel](sent, { again: true })).toMatchObject({ kind: 'done' });
    expect(await times(channel, sent)).toBe(shownAgain(channel));
  },
);

test.each(channels)(
  '%s that never arrived is unknown, and goes out at a retry',
  async (channel) => {
    for (const kind of ['refuse', 'drop', 'error']) {
      const sent = message(RECEIVERS[channel]);
      await control('POST /faults', { provider: channel, kind });
      expect(await messageSenders[channel](sent)).toMatchObject({ kind: 'unknown' });
      expect(await times(channel, sent)).toBe(0);
      await messageSenders[channel](sent, { again: true });
      expect(await times(channel, sent)).toBe(1);
    }
  },
);

test('what a provider would never take is refused, without repeating the address', async () => {
  const refused = [
    await messageSenders.email(message('nobody@bounce.example')),
    await messageSenders.email(message('no address')),
    await messageSenders.whatsapp(message('+1 500 555 0001')),
    await messageSenders.whatsapp(message('none')),
    await messageSenders.sms(message('+15005550001')),
    await messageSenders.sms(message('+62 812 0000 2222', { text: 'x'.repeat(1601) })),
    await messageSenders.push(message('unregistered-device')),
  ];
  for (const outcome of refused) {
    expect(outcome).toMatchObject({ kind: 'refused', code: expect.any(String) });
    expect(JSON.stringify(outcome)).not.toMatch(/bounce|555|device/);
  }
});

test('wrong credentials are an operator’s fault, so messages wait', async () => {
  const wrong = createMessageSenders(
    { ...config, WHATSAPP_TOKEN: 'x', SMS_TOKEN: 'x', PUSH_TOKEN: 'x' },
    places,
  );
  for (const channel of ['whatsapp', 'sms', 'push'] as const) {
    const sent = message(RECEIVERS[channel]);
    const cause = channel === 'whatsapp' ? 'Meta 190' : 'HTTP 401';
    expect(await wrong[channel](sent)).toEqual({ kind: 'unknown', cause });
    expect(await times(channel, sent)).toBe(0);
  }
});

test('a mail server that does not let us in is an operator’s fault, too', async () => {
  const server = new SMTPServer({
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth: (_auth, _session, answer) => answer(new Error('Wrong password')),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const email = mailSender({
    url: () => `smtp://us:wrong@127.0.0.1:${port}`,
    from: config.MAIL_FROM,
  });
  expect(await email(message('ada@example.test'))).toEqual({ kind: 'unknown', cause: 'SMTP 535' });
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

test('a text message of earlier is not taken for one that says the same again', async () => {
  const earlier = message(RECEIVERS.sms);
  await messageSenders.sms(earlier);
  await control('POST /clock', { advance_s: 2 });
  await messageSenders.sms(message(RECEIVERS.sms, { text: earlier.text }), { again: true });
  expect(await times('sms', earlier)).toBe(2);
});

test('without a provider and without the sandbox, messages wait', async () => {
  const none = createMessageSenders(config);
  for (const channel of channels)
    expect(await none[channel](message(RECEIVERS[channel]))).toMatchObject({ kind: 'unknown' });
});

test('a mail server that is down is unknown', async () => {
  const down = createMessageSenders({ ...config, SMTP_URL: 'smtp://127.0.0.1:1' });
  expect(await down.email(message('ada@example.test'))).toMatchObject({ kind: 'unknown' });
});

test('an address is one address, and a subject one line', async () => {
  const two = await messageSenders.email(message('first@example.test, second@example.test'));
  expect(two.kind).not.toBe('done');
  const sent = message('third@example.test', { subject: 'Hi\r\nBcc: fourth@example.test' });
  await messageSenders.email(sent);
  expect(await inbox('third@example.test')).toHaveLength(1);
  for (const to of ['first', 'second', 'fourth'])
    expect(await inbox(`${to}@example.test`)).toEqual([]);
});

test('mail keeps its HTML beside the text, and characters of any script', async () => {
  const text = 'Halo, Nguyễn 🎉\n\nPassword: p=ä"\\ \n.\nLink: https://x.test/?a=1&b=2';
  const html = '<p>Selamat <b>datang</b></p>';
  await messageSenders.email(message('html@example.test', { text, html, subject: 'Đăng ký' }));
  const [received] = await inbox('html@example.test');
  expect(received).toMatchObject({ subject: 'Đăng ký', html: expect.stringContaining(html) });
  expect(received?.text).toBe(text);
});

test('messages are found by any spelling of the address or number', async () => {
  await messageSenders.email(message('Case@Example.test'));
  expect(await inbox('CASE@example.TEST')).toHaveLength(1);
  await messageSenders.sms(message('+1 (415) 555-2671'));
  for (const to of ['+14155552671', '14155552671', ' 14155552671'])
    expect(await inbox(to, 'sms')).toHaveLength(1);
  expect(await inbox('+14155552671', 'whatsapp')).toEqual([]);
});

test('messages are newest first, and at most as many as asked for', async () => {
  for (const text of ['one', 'two', 'three'])
    await messageSenders.push(message('ordered', { text }));
  const texts = async (query: string) =>
    ((await control(`GET /messages?to=ordered${query}`)).body as { text: string }[]).map(
      (received) => received.text,
    );
  expect(await texts('')).toEqual(['three', 'two', 'one']);
  expect(await texts('&limit=2')).toEqual(['three', 'two']);
  for (const bad of ['&limit=0', '&limit=x', '&channel=pigeon', '&to='])
    expect((await control(`GET /messages?${bad}`)).status).toBe(400);
});

test('the mail server refuses what cannot be kept, and goes on', async () => {
  const transport = createTransport({ url: smtpUrl() });
  const raw = { envelope: { from: 'a@example.test', to: ['nul@example.test'] } };
  await expect(
    transport.sendMail({ ...raw, raw: `Subject: x\r\n\r\n${'x'.repeat(2 * 1024 * 1024)}` }),
  ).rejects.toMatchObject({ responseCode: 552 });
  await transport.sendMail({ ...raw, raw: 'no headers at all' });
  transport.close();
  expect(await messageSenders.email(message('after@example.test'))).toMatchObject({ kind: 'done' });
});

test('a mail server whose port is taken goes to another one', async () => {
  const taken = Number(new URL(smtpUrl()).port);
  const second = mailSink({ host: '127.0.0.1', port: taken });
  const stop = await second.start?.(world);
  expect(second.url()).not.toBe(smtpUrl());
  const elsewhere = createMessageSenders({ ...config, SMTP_URL: second.url() });
  await elsewhere.email(message('elsewhere@example.test'));
  expect(await inbox('elsewhere@example.test')).toHaveLength(1);
  await stop?.();
});

test('with a template, WhatsApp gets the text as its one parameter, in one line', async () => {
  const { whatsapp } = createMessageSenders(
    { ...config, WHATSAPP_TEMPLATE: 'notice:en_US' },
    places,
  );
  const sent = message('+6281200004444', { text: 'Hello.\n\n\tCode: 123456' });
  expect(await whatsapp(sent)).toMatchObject({ kind: 'done' });
  const [received] = await inbox('+6281200004444');
  expect(received?.text).toBe('Hello. Code: 123456');
});

test('with a template for codes, WhatsApp gets the code alone, and again behind its button', async () => {
  const templates = { WHATSAPP_TEMPLATE: 'notice:en_US', WHATSAPP_CODE_TEMPLATE: 'code:en_US' };
  const { whatsapp } = createMessageSenders({ ...config, ...templates }, places);
  const to = '+6281200005555';
  await whatsapp(message(to, { text: 'Valid for 5 minutes:\nCode: 123456' }));
  await whatsapp(message(to, { text: 'Welcome.' }));
  await whatsapp(message(to, { text: `Long.\nCode: ${'1'.repeat(16)}` }));
  const received = await inbox(to);
  expect(received.map(({ text }) => text)).toEqual([
    `Long. Code: ${'1'.repeat(16)}`,
    'Welcome.',
    '123456 is your verification code.',
  ]);
});

test('providers answer malformed calls in their own error shape', async () => {
  const json = { 'content-type': 'application/json' };
  const send = async (path: string, body: string) => {
    const reply = await fetch(url + path, { method: 'POST', headers: json, body });
    return [reply.status, await reply.json()];
  };
  expect(await send('/whatsapp/v25.0/sandbox/messages', '{')).toMatchObject([
    400,
    { error: { code: 100 } },
  ]);
  expect(await send('/push/v1/projects/sandbox/messages:send', '{')).toMatchObject([
    400,
    { error: { status: 'INVALID_ARGUMENT' } },
  ]);
  // Credentials come first.
  expect(await send('/sms/2010-04-01/Accounts/ACsandbox/Messages.json', '{}')).toMatchObject([
    401,
    { code: 20_003, status: 401 },
  ]);
});
