import { describe, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { createMessageSenders } from '#providers/messages/adapter.ts';
import { messageSimulators } from '#sandbox/providers/messages/simulator.ts';
import { expectSound, testBrowser } from '#test/browser/browser.ts';
import { testSandbox } from '#test/sandbox.ts';

const config = loadConfig({ NODE_ENV: 'test', SANDBOX_SMTP_PORT: '0' });
const { simulators, smtpUrl } = messageSimulators(config);
const { url, world, clock } = await testSandbox(...simulators);
const messageSenders = createMessageSenders(config, { url: () => url, smtpUrl });

const browser = await testBrowser();

const open = async () => {
  const visit = await browser.page();
  await visit.page.goto(url);
  return visit;
};

test('an address without a page is a page for people, and JSON for programs', async () => {
  const program = await fetch(`${url}/nothing/here`, { method: 'POST' });
  expect([program.status, await program.json()]).toEqual([
    404,
    { error: 'There is no POST /nothing/here', code: 'NOT_FOUND' },
  ]);
  const { page } = await browser.page();
  const shown = await page.goto(`${url}/<b>nothing</b>?to=1`);
  expect(shown?.status()).toBe(404);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.getByText('There is no GET /%3Cb%3Enothing%3C/b%3E').waitFor();
  await page.getByRole('link', { name: 'The sandbox' }).click();
  await page.getByRole('heading', { name: 'Archipay sandbox' }).waitFor();
});

describe('in a browser', () => {
  test('people read messages, arm faults and move the clock', async () => {
    const text =
      'Welcome to Archipay.\n\nPassword: correct horse\nLink: https://archipay.example/?a=1&b=2';
    await messageSenders.email({
      id: 'm1',
      at: clock.now(),
      to: 'ada@example.test',
      subject: 'Your account',
      text,
      html: '<h1>Welcome</h1>',
    });
    const visit = await open();
    const { page } = visit;
    const message = page.locator('article');
    expect(await message.locator('pre').textContent()).toBe(text);
    expect(await message.locator('a').getAttribute('href')).toBe(
      'https://archipay.example/?a=1&b=2',
    );
    await message.locator('summary').click();
    expect(await message.frameLocator('iframe').locator('h1').textContent()).toBe('Welcome');

    await page.selectOption('#fault [name=provider]', 'whatsapp');
    await page.selectOption('#fault [name=kind]', 'commit-then-drop');
    await page.fill('#fault [name=times]', '3');
    await page.click('#fault button[type=submit]');
    await page.getByText('whatsapp: commit-then-drop, 3 more').waitFor();
    expect(world.faults.list()).toEqual([
      { provider: 'whatsapp', kind: 'commit-then-drop', times: 3, ms: 1000 },
    ]);
    await page.click('#disarm');
    await page.getByText('None armed.').waitFor();
    expect(world.faults.list()).toEqual([]);

    await page.selectOption('#clock [name=unit]', 'hours');
    await page.fill('#clock [name=count]', '24');
    await page.click('#clock button');
    await page.getByText('(86400 s ahead)').waitFor();
    expect(clock.offsetMs).toBe(86_400_000);
    expectSound(visit);
  });

  test('what was wrong stays to be read while the page brings itself up to date', async () => {
    const { page } = await open();
    const problem = page.locator('#problem');
    await page.selectOption('#clock [name=unit]', 'days');
    await page.fill('#clock [name=count]', '400');
    await page.click('#clock button');
    await problem.getByText('advance_s must be').waitFor();
    await page.evaluate('watch()');
    expect(await problem.textContent()).toContain('advance_s must be');
    await page.click('#disarm');
    await expect.poll(() => problem.textContent()).toBe('');
  });

  test('a message cannot run anything on the page', async () => {
    const attack = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>';
    await messageSenders.email({
      id: 'm2',
      at: clock.now(),
      to: 'eve@example.test',
      subject: attack,
      text: attack,
      html: `${attack}<script>parent.attacked=1</script>`,
    });
    const { page } = await open();
    const message = page.locator('article').first();
    expect(await message.locator('pre').textContent()).toBe(attack);
    await message.locator('summary').click();
    await message.frameLocator('iframe').locator('img').waitFor({ state: 'attached' });
    expect(await page.evaluate('window.attacked')).toBeUndefined();
  });
});
