import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';

const h = await harness({ mock: false });

const resend = (email: string) =>
  h.call('POST /users/resend-confirmation', { as: 'nobody', body: { email } });
const confirm = (token: string) => h.call('POST /users/confirm', { as: 'nobody', body: { token } });
const look = async (link: string) => {
  const reply = await fetch(link);
  return { status: reply.status, text: await reply.text() };
};
const confirmedAt = async (user_id: number) =>
  (
    await h.db
      .selectFrom('users')
      .select('confirmed_at')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
  ).confirmed_at;
const SUBJECT = /^Confirm your e-mail/;

test('the mailed link’s page changes nothing; its button confirms, once', async () => {
  const user = await h.user();
  expect((await resend(user.email))[0]).toBe(200);
  const { link, token } = linkIn(await mailTo(h, user.email, SUBJECT));
  for (let scan = 0; scan < 2; scan += 1) {
    const { status, text } = await look(link);
    expect([status, text]).toEqual([200, expect.stringContaining(`value="${token}"`)]);
  }
  expect(await confirmedAt(user.user_id)).toBeNull();
  expect(await confirm(token)).toMatchObject([200, { message: 'Your account is confirmed.' }]);
  expect(await confirmedAt(user.user_id)).not.toBeNull();
  expect(await confirm(token)).toMatchObject([
    200,
    { message: 'Your account was confirmed before.' },
  ]);
  expect(await look(link)).toMatchObject({
    status: 200,
    text: expect.stringContaining('Already confirmed'),
  });
});

test('a lapsed link leads to a new one', async () => {
  const user = await h.user();
  await resend(user.email.toUpperCase());
  const { link, token } = linkIn(await mailTo(h, user.email, SUBJECT));
  await h.advance(24 * 3600 + 1);
  expect(await look(link)).toMatchObject({
    status: 400,
    text: expect.stringContaining('action="/api/users/resend-confirmation"'),
  });
  expect(await confirm(token)).toMatchObject([
    400,
    { code: 'INVALID_TOKEN', hint: expect.stringContaining('resend-confirmation') },
  ]);
  await resend(user.email);
  const again = linkIn(await mailTo(h, user.email, SUBJECT));
  expect(again.token).not.toBe(token);
  expect((await confirm(again.token))[0]).toBe(200);
});

test('a confirmed or unknown address gets no mail and the same answer; at most five mails', async () => {
  const [user, confirmed] = [await h.user(), await h.user()];
  const at = h.clock.now().toISOString();
  await h.db
    .updateTable('users')
    .set({ confirmed_at: at })
    .where('user_id', '=', confirmed.user_id)
    .execute();
  const answers = [await resend('nobody@example.test'), await resend(confirmed.email)];
  for (let n = 0; n < 7; n += 1) {
    answers.push(await resend(user.email));
    await h.drain();
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await h.messages(user.email)).toHaveLength(5);
  expect(await h.messages(confirmed.email)).toEqual([]);
  expect(await h.messages('nobody@example.test')).toEqual([]);
});
