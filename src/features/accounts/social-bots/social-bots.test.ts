import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { socialBots } from '#test/social.ts';
import { BOT_TEXTS } from './texts.ts';

const h = await harness({ mock: false });
const people = socialBots(h);
const { en, id } = BOT_TEXTS;
const mask = (phone: string) => `+62 ${phone.slice(3, 6)} ••• ${phone.slice(-2)}`;

test('a start answers a code of ten minutes and an address that opens the chat with it', async () => {
  const as = await people.member();
  const [status, { data }] = await people.start(as);
  expect(status).toBe(201);
  expect(data).toEqual({
    link_id: expect.stringMatching(/^sbl_/),
    status: 'PENDING',
    code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/),
    bot_link: `https://t.me/archipay_sandbox_bot?start=${data.code}`,
    expires_at: expect.any(String),
  });
  const link = await people.link(as, data.link_id);
  const valid = Date.parse(data.expires_at) - Date.parse(link.created_at);
  expect(Math.abs(valid - 600_000)).toBeLessThan(5_000);
  const [, whatsapp] = await people.start(as, 'whatsapp');
  expect(whatsapp.data.bot_link).toBe(`https://wa.me/15550000000?text=${whatsapp.data.code}`);
  expect((await h.call('POST /socialbot/start', { as, body: { platform: 'x' } }))[0]).toBe(400);
});

test('a new start ends the one before, whose code counts no more', async () => {
  const as = await people.member();
  const from = people.telegram();
  const [, first] = await people.start(as);
  await people.start(as);
  await people.write(from, first.data.code);
  expect(await people.said(from)).toBe(en.wrongCode);
  expect(await people.link(as, first.data.link_id)).toMatchObject({ status: 'EXPIRED' });
});

test('the eleventh start of a day is refused until the first one is a day old', async () => {
  const as = await people.member();
  const [, { data }] = await people.start(as);
  for (let n = 2; n <= 10; n += 1) expect((await people.start(as))[0]).toBe(201);
  const [status, { error }] = await people.start(as);
  expect(status).toBe(429);
  const began = (await people.link(as, data.link_id)).created_at;
  expect(error).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    details: {
      limit_id: 'social_links_a_day',
      limit: 10,
      used: 10,
      resets_at: new Date(Date.parse(began) + 86_400_000).toISOString(),
    },
  });
});

test('the bot asks which member it is, the app which account, and only then it is linked', async () => {
  const as = await people.member();
  const from = people.telegram();
  const [, { data }] = await people.start(as);
  const { link_id } = data;
  await people.write(from, `/start ${data.code}`, { username: 'ada_love', name: 'Ada L' });
  const question = (await people.chat(from)).at(-1);
  expect(question).toMatchObject({
    by: 'bot',
    text: `Link this account to the member ${mask(as.phonex)}? You will not be asked for money.`,
    buttons: [{ title: 'Yes' }, { title: 'No' }],
  });
  expect(await people.link(as, link_id)).toMatchObject({ status: 'ASKED', linked_at: null });
  expect(await people.act(as, link_id, 'confirm')).toMatchObject([
    409,
    { error: { code: 'INVALID_STATUS', details: { status: 'ASKED', allowed: ['CONFIRMING'] } } },
  ]);
  await people.press(from, 'Yes');
  expect((await people.chat(from)).at(-1)).toMatchObject({ text: en.confirmInApp, alert: true });
  const account = { display_name: 'Ada L', handle: '@a•••e' };
  expect(await people.link(as, link_id)).toMatchObject({ status: 'CONFIRMING', account });
  const before = await people.points(as);
  expect(await people.act(as, link_id, 'confirm')).toMatchObject([
    200,
    { data: { status: 'LINKED', points_awarded: 50, already_rewarded: false, account } },
  ]);
  expect(await people.points(as)).toBe(before + 50);
  await h.drain();
  expect(await people.said(from)).toBe(en.linked);
  const [, { data: status }] = await h.call('GET /socialbot/status', { as });
  expect(status).toMatchObject({ telegram: { link_id, account }, whatsapp: null });
  expect(await people.act(as, link_id, 'confirm')).toMatchObject([
    200,
    { data: { points_awarded: 50, already_rewarded: false } },
  ]);
  expect(await people.points(as)).toBe(before + 50);
});

test('WhatsApp asks by buttons in the language of the number, and pays nothing by default', async () => {
  const as = await people.member();
  const from = people.phone();
  const link_id = await people.asked(as, from);
  expect((await people.chat(from)).at(-1)).toMatchObject({
    text: id.ask(mask(as.phonex)),
    buttons: [{ title: 'Ya' }, { title: 'Tidak' }],
  });
  await people.press(from, 'Ya');
  expect(await people.said(from)).toBe(id.confirmInApp);
  expect(await people.act(as, link_id, 'confirm')).toMatchObject([
    200,
    {
      data: {
        status: 'LINKED',
        points_awarded: 0,
        already_rewarded: false,
        account: { display_name: 'Ada', handle: mask(`+${from}`) },
      },
    },
  ]);
});

test('a person at WhatsApp who shows no number is asked and linked by the id at this business', async () => {
  const as = await people.member();
  const from = people.phone();
  const [, { data }] = await people.start(as, 'whatsapp');
  await people.write(from, data.code, { username: 'ada.love' });
  expect((await people.chat(from)).at(-1)?.buttons).toHaveLength(2);
  expect(await people.link(as, data.link_id)).toMatchObject({
    status: 'ASKED',
    account: { display_name: 'Ada', handle: '@a•••e' },
  });
});

test('Telegram’s people are answered in the language that it names', async () => {
  const from = people.telegram();
  await people.write(from, 'Halo', { language: 'id' });
  expect(await people.said(from)).toBe(id.help);
  await people.write(from, 'Hallo', { language: 'de' });
  expect(await people.said(from)).toBe(en.help);
});

test('a no in the bot, or in the app, links nothing', async () => {
  const as = await people.member();
  const from = people.telegram();
  const first = await people.asked(as, from);
  await people.press(from, 'No');
  expect(await people.said(from)).toBe(en.refused);
  expect(await people.link(as, first)).toMatchObject({ status: 'REJECTED' });
  const second = await people.confirming(as, from);
  for (let n = 0; n < 2; n += 1)
    expect(await people.act(as, second, 'reject')).toMatchObject([
      200,
      { data: { status: 'REJECTED', points_awarded: 0 } },
    ]);
  await h.drain();
  expect(await people.said(from)).toBe(en.notTheirs);
  expect((await people.act(as, second, 'confirm'))[0]).toBe(409);
  const [, { data }] = await h.call('GET /socialbot/links', { as, query: { limit: 1 } });
  expect(data.items).toMatchObject([{ link_id: second }]);
  const cursor = data.next_cursor;
  const [, next] = await h.call('GET /socialbot/links', { as, query: { limit: 1, cursor } });
  expect(next.data).toMatchObject({ items: [{ link_id: first }], next_cursor: null });
});

test('a link whose ten minutes are over cannot be asked, answered or confirmed', async () => {
  const as = await people.member();
  const from = people.telegram();
  const link_id = await people.confirming(as, from);
  await h.advance(601);
  expect(await people.link(as, link_id)).toMatchObject({ status: 'EXPIRED' });
  expect(await people.act(as, link_id, 'confirm')).toMatchObject([
    409,
    { error: { details: { status: 'EXPIRED' } } },
  ]);
  await people.press(from, 'Yes');
  expect(await people.said(from)).toBe(en.over);
});

test('points come once for ever, also after the account was unlinked', async () => {
  const as = await people.member();
  const from = people.telegram();
  const link_id = await people.linked(as, from);
  const points = await people.points(as);
  for (let n = 0; n < 2; n += 1)
    expect(await people.unlink(as, link_id)).toMatchObject([200, { data: { status: 'UNLINKED' } }]);
  expect(await people.points(as)).toBe(points);
  const again = await people.confirming(as, from);
  expect(await people.act(as, again, 'confirm')).toMatchObject([
    200,
    { data: { status: 'LINKED', points_awarded: 0, already_rewarded: true } },
  ]);
  expect(await people.points(as)).toBe(points);
});

test('a platform that was claimed before is rewarded already', async () => {
  const as = await people.member();
  await h.call('POST /xsocial/claim', { as, body: { platform: 'telegram' } });
  const link_id = await people.confirming(as, people.telegram());
  expect(await people.act(as, link_id, 'confirm')).toMatchObject([
    200,
    { data: { points_awarded: 0, already_rewarded: true } },
  ]);
});

test('an account of another member, and a second one of the same, is refused when it answers', async () => {
  const [owner, other] = [await people.member(), await people.member()];
  const from = people.telegram();
  await people.linked(owner, from);
  const theirs = await people.asked(other, from);
  expect(await people.said(from)).toBe(en.takenByAnother);
  expect(await people.link(other, theirs)).toMatchObject({ status: 'CONFLICT' });
  const [status, { error }] = await people.act(other, theirs, 'confirm');
  expect([status, error.code]).toEqual([409, 'ACCOUNT_LINKED_ELSEWHERE']);
  expect(JSON.stringify(error)).not.toContain(owner.phonex.slice(-4));
  const second = await people.asked(owner, people.telegram());
  expect(await people.link(owner, second)).toMatchObject({ status: 'CONFLICT' });
});

test('another member’s link is not found, and only the account that was asked may answer', async () => {
  const [as, other] = [await people.member(), await people.member()];
  const from = people.telegram();
  const link_id = await people.asked(as, from);
  const button = (await people.chat(from)).at(-1)?.buttons[0]?.id ?? '';
  const stranger = people.telegram();
  await people.press(stranger, button);
  expect(await people.link(as, link_id)).toMatchObject({ status: 'ASKED' });
  const params = { link_id };
  for (const call of [
    h.call('GET /socialbot/links/{link_id}', { as: other, params }),
    people.act(other, link_id, 'confirm'),
    people.act(other, link_id, 'reject'),
    people.unlink(other, link_id),
  ])
    expect(await call).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
});

test('a deleted account of a member frees what was linked', async () => {
  const [as, other] = [await people.member(), await people.member()];
  const from = people.telegram();
  await people.linked(as, from);
  await h.call('DELETE /xaccount/delete', { as });
  const link_id = await people.confirming(other, from);
  expect((await people.act(other, link_id, 'confirm'))[1].data.status).toBe('LINKED');
});

test('a day after its end it is not known any more whose account it was', async () => {
  const as = await people.member();
  const link_id = await people.linked(as, people.telegram());
  await people.unlink(as, link_id);
  await h.advance(2 * 86_400);
  await h.drain();
  expect(
    await h.db
      .selectFrom('social_links')
      .select('account_id')
      .where('userx_id', '=', as.userx_id)
      .execute(),
  ).toEqual([{ account_id: null }]);
});
