import { expect, test } from 'vitest';
import { DEMO, seed } from '#src/app/seed.ts';
import { harness } from '../harness.ts';
import { expectSound, picture, testBrowser } from './browser.ts';

const h = await harness();
await seed(h.kernel, h.app.features.afterUser);
const browser = await testBrowser();

test('the reference opens over plain HTTP within its policy, and calls no other host', async () => {
  const visit = await browser.page();
  const { page } = visit;
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  const base = h.kernel.publicUrl();
  await page.goto(`${base}/docs`);
  await page.getByRole('heading', { name: 'The main job' }).waitFor();
  await page.getByRole('heading', { name: 'Test cards' }).waitFor();
  await picture(page, 'reference');
  expectSound(visit);
  expect([...origins]).toEqual([base]);
});

test('one click logs in as one of the demo’s people, and requests carry their token', async () => {
  const visit = await browser.page();
  const { page } = visit;
  await page.goto(`${h.kernel.publicUrl()}/docs`);
  for (const [name, email] of [
    ['user', DEMO.user.email],
    ['admin', DEMO.admin.email],
  ] as const) {
    await page.getByRole('button', { name: `Log in as the demo ${name}` }).click();
    await page.getByRole('status').filter({ hasText: email }).waitFor();
    await picture(page, `reference-${name}`);
    const shown = await page.evaluate('JSON.parse(sessionStorage["archipay-demo-log-in"]).token');
    const [status, { data }] = await h.call('GET /users/{user_id}', {
      as: { token: String(shown) },
      key: DEMO.apiKey,
      params: { user_id: name === 'user' ? 3 : 2 },
    });
    expect([status, data.email]).toEqual([200, email]);
  }
  // As the renderer itself sends it, with the button of its own.
  await page.goto(`${h.kernel.publicUrl()}/docs#tag/sessions/GET/sessions`);
  await page
    .getByRole('button', { name: /^Test Request.*\/sessions/i })
    .first()
    .click();
  const answered = page.waitForResponse((reply) => reply.url().endsWith('/api/sessions'));
  await page.getByRole('button', { name: /^Send/ }).first().click();
  expect((await answered).status()).toBe(200);
  expectSound(visit);
});

test.each([
  ['CARD_DECLINED', /CARD_DECLINED/],
  ['webhook signature', /Webhook signature/],
  ['MCP server', /MCP server/],
  ['top up card', /Top up from a card/],
])('the search of the reference finds %s', async (words, found) => {
  const visit = await browser.page();
  const { page } = visit;
  await page.goto(`${h.kernel.publicUrl()}/docs`);
  await page.getByRole('heading', { name: 'The main job' }).waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').locator('input').fill(words);
  await page.getByRole('option').filter({ hasText: found }).first().waitFor();
  await picture(page, `reference-search-${words}`);
  const place = await page.getByRole('option').filter({ hasText: found }).first();
  const texts = await page.getByRole('option').allInnerTexts();
  expect(
    texts.slice(0, 5).some((text) => found.test(text)),
    texts.join(),
  ).toBe(true);
  await place.click();
  expectSound(visit);
});

test('the sandbox page shows messages with their receivers', async () => {
  const visit = await browser.page();
  const { page } = visit;
  await page.goto(h.app.sandboxUrl());
  await page.getByRole('heading', { name: 'Messages' }).waitFor();
  await picture(page, 'sandbox');
  expectSound(visit);
  expect(await page.title()).toBe('Archipay sandbox');
});
