import { expect, test } from 'vitest';
import { harness } from '../harness.ts';
import { expectSound, picture, testBrowser } from './browser.ts';

const h = await harness();
const browser = await testBrowser();

test('the reference opens within its own policy, over plain HTTP, and asks nobody else', async () => {
  const visit = await browser.page();
  const { page } = visit;
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  const base = h.kernel.publicUrl();
  await page.goto(`${base}/docs`);
  await page.getByRole('heading', { name: 'The main job' }).waitFor();
  await page.getByRole('heading', { name: 'Test cards' }).waitFor();
  await picture(page, 'reference');
  expectSound(visit);
  expect([...asked]).toEqual([base]);
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
