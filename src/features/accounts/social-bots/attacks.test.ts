import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { socialBots } from '#test/social.ts';
import { BOT_TEXTS } from './texts.ts';

const h = await harness({ mock: false });
const people = socialBots(h);
const { en, id } = BOT_TEXTS;
const SECRET = 'sandbox-telegram-webhook-secret';
const APP = 'sandbox-whatsapp-app-secret';

const telegram = (body: unknown, secret = SECRET) =>
  h.call('POST /socialbot/telegram/webhook', {
    as: 'nobody',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'x-telegram-bot-api-secret-token': secret,
      'content-type': 'application/json',
    },
  });
const whatsapp = (body: unknown, secret = APP) => {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  const digest = createHmac('sha256', secret).update(raw).digest('hex');
  const headers = { 'x-hub-signature-256': `sha256=${digest}`, 'content-type': 'application/json' };
  return h.call('POST /socialbot/whatsapp/webhook', { as: 'nobody', body: raw, headers });
};
const written = (update_id: number, from: string, text: string) => ({
  update_id,
  message: {
    message_id: 1,
    date: 1,
    text,
    from: { id: Number(from), is_bot: false, first_name: 'Ada' },
    chat: { id: Number(from), type: 'private', first_name: 'Ada' },
  },
});
const message = (fields: object) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        { field: 'messages', value: { messaging_product: 'whatsapp', messages: [fields] } },
      ],
    },
  ],
});
const states = async () =>
  (await h.db.selectFrom('social_links').select(['link_id', 'status']).orderBy('serial').execute())
    .map(({ link_id, status }) => `${link_id} ${status}`)
    .join();

test('of twenty confirms at once one links and pays, and all are answered the same', async () => {
  const as = await people.member();
  const link_id = await people.confirming(as, people.telegram());
  const before = await people.points(as);
  const all = await Promise.all(
    Array.from({ length: 20 }, () => people.act(as, link_id, 'confirm')),
  );
  for (const [status, { data }] of all)
    expect([status, data.status, data.points_awarded]).toEqual([200, 'LINKED', 50]);
  expect(await people.points(as)).toBe(before + 50);
});

test('of two members who confirm one account at once one has it, and the account hears of the other', async () => {
  const members = [await people.member(), await people.member()];
  const from = people.telegram();
  const links: string[] = [];
  for (const as of members) links.push(await people.confirming(as, from));
  const all = await Promise.all(members.map((as, n) => people.act(as, links[n] ?? '', 'confirm')));
  expect(all.map(([status]) => status).sort()).toEqual([200, 409]);
  const [, lost] = all.find(([status]) => status === 409) ?? [];
  expect(lost.error.code).toBe('ACCOUNT_LINKED_ELSEWHERE');
  await h.drain();
  const said = (await people.chat(from)).map(({ text }) => text);
  expect(said).toContain(en.takenByAnother);
  expect(said).toContain(en.linked);
  expect(await states()).toContain('CONFLICT');
});

test('a call of another sender is refused, and changes nothing', async () => {
  const as = await people.member();
  const [, { data }] = await people.start(as);
  const before = await states();
  for (const secret of ['', 'another', `${SECRET}x`])
    expect(await telegram(written(900_001, '80001', data.code), secret)).toMatchObject([
      401,
      { code: 'INVALID_SIGNATURE' },
    ]);
  expect(
    await whatsapp(message({ from: '6281', id: 'wamid.1', timestamp: '1', type: 'text' }), 'other'),
  ).toMatchObject([401, { code: 'INVALID_SIGNATURE' }]);
  await h.sandbox('POST', '/faults', { provider: 'telegram', kind: 'bad-signature' });
  expect(await people.write(people.telegram(), data.code)).toEqual({ taken: false });
  expect(await states()).toBe(before);
});

test('an update counts once, and its repetition gets the same answer', async () => {
  const as = await people.member();
  const [, { data }] = await people.start(as);
  const from = people.telegram();
  const first = await telegram(written(900_100, from, data.code));
  expect(first).toMatchObject([200, { method: 'sendMessage', chat_id: Number(from) }]);
  const at = await states();
  const again = await Promise.all(
    Array.from({ length: 5 }, () => telegram(written(900_100, from, data.code))),
  );
  for (const one of again) expect(one).toEqual(first);
  expect(await states()).toBe(at);
  // Under the same number another text is no other update.
  expect(await telegram(written(900_100, from, 'Hello'))).toEqual(first);
});

test('a message of WhatsApp that comes twice, or late, is handled once', async () => {
  const as = await people.member();
  const from = people.phone();
  const [, { data }] = await people.start(as, 'whatsapp');
  await h.sandbox('POST', '/faults', { provider: 'whatsapp', kind: 'duplicate-callback' });
  await people.write(from, data.code);
  const questions = (await people.chat(from)).filter(({ by }) => by === 'bot');
  expect(questions).toHaveLength(1);
});

test('after ten wrong codes an account gets no answer for an hour, nor does a right code count', async () => {
  const as = await people.member();
  const from = people.telegram();
  for (let n = 1; n <= 10; n += 1) await people.write(from, 'ABCD2345');
  expect(await people.said(from)).toBe(en.tooManyCodes);
  const [, { data }] = await people.start(as);
  const heard = (await people.chat(from)).filter(({ by }) => by === 'bot').length;
  await people.write(from, data.code);
  await people.write(from, 'Hello');
  expect((await people.chat(from)).filter(({ by }) => by === 'bot')).toHaveLength(heard);
  expect(await people.link(as, data.link_id)).toMatchObject({ status: 'PENDING' });
  await h.advance(3601);
  const [, later] = await people.start(as);
  await people.write(from, later.data.code);
  expect(await people.link(as, later.data.link_id)).toMatchObject({ status: 'ASKED' });
});

test('wrong codes of an hour ago do not count', async () => {
  const from = people.telegram();
  for (let n = 1; n <= 9; n += 1) await people.write(from, 'ABCD2345');
  await h.advance(3601);
  await people.write(from, 'ABCD2345');
  expect(await people.said(from)).toBe(en.wrongCode);
});

test.each(['group', 'forwarded', 'edited', 'media'] as const)(
  'what is %s gets a polite word on either platform, and changes nothing',
  async (kind) => {
    const as = await people.member();
    const [, { data }] = await people.start(as);
    const [, other] = await people.start(as, 'whatsapp');
    const before = await states();
    const [at, number] = [people.telegram(), people.phone()];
    await people.write(at, data.code, { kind });
    await people.write(number, other.data.code, { kind });
    if (kind !== 'group') expect(await people.said(at)).toBe(en.unread[kind]);
    expect(await people.said(number)).toBe(id.unread[kind]);
    expect(await states()).toBe(before);
  },
);

test('a group is answered in the group', async () => {
  const group = { id: -1001, type: 'supergroup', title: 'A group' };
  const update = written(900_200, '80002', 'ABCD2345');
  const answer = await telegram({ ...update, message: { ...update.message, chat: group } });
  expect(answer).toEqual([200, { method: 'sendMessage', chat_id: -1001, text: en.unread.group }]);
});

test('what was on its way for more than a day is answered nothing by WhatsApp', async () => {
  const from = people.phone();
  await people.write(from, 'Halo', { late: 86_401 });
  expect(await people.said(from)).toBeUndefined();
  await people.write(from, 'Halo');
  expect(await people.said(from)).toBe(id.help);
});

test('a person at WhatsApp who has not written for a day hears nothing of the link', async () => {
  const as = await people.member();
  const from = people.phone();
  const [, { data }] = await people.start(as, 'whatsapp');
  await people.write(from, data.code, { late: 86_399 });
  await h.advance(2);
  await people.press(from, 'Ya');
  await h.drain();
  expect((await people.chat(from)).filter(({ text }) => text === id.linked)).toEqual([]);
});

test('the webhook of WhatsApp is registered by its verify token, and answers plain text', async () => {
  const register = (query: Record<string, string>) =>
    h.send('GET /socialbot/whatsapp/webhook', { as: 'nobody', query });
  const right = {
    'hub.mode': 'subscribe',
    'hub.verify_token': 'sandbox-whatsapp-verify-token',
    'hub.challenge': '1158201444',
  };
  const { status, body, headers } = await register(right);
  expect([status, body, headers.get('content-type')]).toEqual([
    200,
    '1158201444',
    'text/plain; charset=utf-8',
  ]);
  expect((await register({ ...right, 'hub.verify_token': 'another' })).status).toBe(403);
  expect((await register({ ...right, 'hub.mode': 'unsubscribe' })).status).toBe(403);
  expect((await register({})).status).toBe(403);
});

test('what became of our own messages is taken at the same address', async () => {
  const value = {
    messaging_product: 'whatsapp',
    statuses: [{ id: 'wamid.s', status: 'sent', biz_opaque_callback_data: 'theirs' }],
  };
  const entry = [{ id: '1', changes: [{ field: 'messages', value }] }];
  expect(await whatsapp({ object: 'whatsapp_business_account', entry })).toEqual([
    200,
    { message: 'Event received' },
  ]);
  await h.drain();
});

test('neither code nor number of a person is kept in the inbox or in a log', async () => {
  const as = await people.member();
  const [, { data }] = await people.start(as);
  await people.write(people.telegram(), data.code);
  const kept = await h.db
    .selectFrom('inbox')
    .select('event')
    .where('source', '=', 'telegram-bot')
    .execute();
  expect(JSON.stringify(kept)).not.toContain(data.code);
  expect(h.logs.join()).not.toContain(data.code);
});
