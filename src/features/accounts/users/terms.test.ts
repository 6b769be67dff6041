import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness({
  config: { TOS_URL: 'https://shop.example/terms?a=1&b=2', TOS_VERSION: '2026-11' },
});

const pageOf = async (link: string) => (await fetch(link)).text();
const fieldOf = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];

async function invited() {
  const as = await h.user();
  const params = { user_id: as.user_id };
  const [, { link }] = await h.call('GET /users/{user_id}/tos-acceptance-link', { as, params });
  return { as, params, link };
}
const logIn = async ({ email, password }: { email: string; password: string }) =>
  (await h.call('POST /auth/login', { body: { usernameoremail: email, password } }))[1].data;

test('the page leads to the terms and stores the accepted version', async () => {
  const { as, params, link } = await invited();
  const html = await pageOf(link);
  expect(html).toContain('href="https://shop.example/terms?a=1&#38;b=2"');
  expect(html).toContain('version 2026-11');
  const body = { token: fieldOf(html, 'token'), tos_version: fieldOf(html, 'tos_version') };
  const [status] = await h.call('POST /users/{user_id}/accept-tos', { as: 'nobody', params, body });
  expect(status).toBe(200);
  const [, user] = await h.call('GET /users/{user_id}', { as, params });
  expect(user.data).toMatchObject({ tos_version: '2026-11', tos_accepted_at: expect.any(String) });
});

test('a log-in requires the terms in force until accepted, and again for new ones', async () => {
  const { as, params, link } = await invited();
  expect((await logIn(as)).tos_acceptance_required).toBe(true);
  const token = fieldOf(await pageOf(link), 'token');
  await h.call('POST /users/{user_id}/accept-tos', { as: 'nobody', params, body: { token } });
  expect(await logIn(as)).not.toHaveProperty('tos_acceptance_required');
  await h.db
    .updateTable('users')
    .set({ tos_version: '2025-01' })
    .where('user_id', '=', as.user_id)
    .execute();
  expect((await logIn(as)).tos_acceptance_required).toBe(true);
});

test('the shown terms are the accepted ones: others in between are refused, the link stays', async () => {
  const { params, link } = await invited();
  const token = fieldOf(await pageOf(link), 'token');
  const accept = (tos_version: string) =>
    h.call('POST /users/{user_id}/accept-tos', {
      as: 'nobody',
      params,
      body: { token, tos_version },
    });
  expect(await accept('2025-01')).toMatchObject([
    409,
    { error: 'The terms have changed meanwhile', code: 'CONFLICT' },
  ]);
  expect((await accept('2026-11'))[0]).toBe(200);
});
