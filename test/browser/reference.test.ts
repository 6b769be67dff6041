import { expect, test } from 'vitest';
import { harness } from '../harness.ts';
import { expectSound, picture, testBrowser } from './browser.ts';

const h = await harness();
const browser = await testBrowser();

test('the reference lists the endpoints and opens one, within its own policy over plain HTTP', async () => {
  const visit = await browser.page();
  const { page } = visit;
  await page.goto(`${h.kernel.publicUrl()}/docs`);
  await page.getByRole('heading', { name: /Archipay/ }).waitFor();
  await page.locator('#operations-tag-auth').click();
  const login = page.locator('#operations-auth-postAuthLogin');
  await login.locator('.opblock-summary-control').click();
  await login.getByText('usernameoremail').first().waitFor();
  await picture(page, 'reference');
  expectSound(visit);
});

test('the sandbox page shows what was sent to whom', async () => {
  const visit = await browser.page();
  const { page } = visit;
  await page.goto(h.app.sandboxUrl());
  await page.getByRole('heading', { name: 'Messages' }).waitFor();
  await picture(page, 'sandbox');
  expectSound(visit);
  expect(await page.title()).toBe('Archipay sandbox');
});
