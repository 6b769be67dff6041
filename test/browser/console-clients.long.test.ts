import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';
import { harness, type Person } from '../harness.ts';
import { joined } from '../team.ts';
import { violationsOn } from './axe.ts';
import { picture, type TestPage, testBrowser } from './browser.ts';
import { builtConsole, consoleOf, enterConsole } from './console.ts';

/** The work of a client's people at the console: how it goes, and why a balance is what it is. */
const h = await harness({
  mock: false,
  config: {
    CONSOLE: 'on',
    OPERATOR_2FA: 'optional',
    REQUEST_LOGS: 'on',
    CONSOLE_DIR: await builtConsole(),
  },
});
const owner = await h.user({ role: 'admin', username: 'Olga', ekyc_status: 'APPROVED' });
const inRole = new Map<TeamRole, Person>();
for (const role of ['developer', 'viewer'] as const) inRole.set(role, await joined(h, owner, role));
const one = (role: TeamRole): Person => inRole.get(role) ?? owner;

const CARD = { card_number: '4111111111111111', expiry_date: '1239', currency_code: 'USD' };
const topUp = async (amount: number, card = CARD.card_number) =>
  (
    await h.call('POST /card-checkout/card', {
      as: owner,
      body: { ...CARD, card_number: card, amount },
    })
  )[1].data;
const paid = await topUp(1240.5);
await topUp(60);
await topUp(7, '4000000000000002');
const [, made] = await h.call('POST /webhook-endpoints', {
  as: owner,
  body: { url: 'https://shop.example/hooks', types: ['payment.*'], description: 'The shop' },
});
// Yesterday's and last week's payments, as the trigger counts them.
await run(
  h.db,
  `insert into payment_days (client_id, day, currency, direction, outcome, failure_code, scale, n, units)
   select $1, (service_now() at time zone 'UTC')::date - n, 'USD', 'in', 'SUCCEEDED', '', 2, 3 + n % 5, 10000 * (3 + n % 7)
   from generate_series(1, 29) n`,
  [owner.client_id],
);
await h.kernel.events.settle();

const browser = await testBrowser();
let visit: TestPage;
let page: Page;
beforeEach(async () => {
  visit = await browser.page();
  page = visit.page;
});

const at = (path: string, person: Person = owner) => enterConsole(h, page, person, path);
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const sound = () => expect(visit.problems).toEqual([]);
const IS_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

test('home shows how it goes in pictures, and the same numbers as a table', async () => {
  await at('');
  await page.getByRole('heading', { name: 'Payments of the last 30 days' }).waitFor();
  await page.getByText('Nothing waits for you.').waitFor();
  const volume = page.locator('figure').first();
  await volume.getByRole('img').waitFor();
  const day = volume.getByRole('slider');
  expect(await day.getAttribute('aria-valuetext')).toContain('received 1,300.50 USD');
  await day.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await day.getAttribute('aria-valuetext')).toContain('received 400.00 USD');
  await volume.getByRole('button', { name: 'As table' }).click();
  await volume.getByRole('table').getByText('1,300.50 USD').waitFor();
  const saved = page.waitForEvent('download');
  await volume.getByRole('button', { name: 'Save as CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('volume-usd.csv');
  sound();
});

test('a balance is explained from home: what was posted, what is held, and each line', async () => {
  await at('');
  const row = page.getByRole('table', { name: 'Your wallets' }).locator('tbody tr').first();
  await row.getByRole('link', { name: 'Explain' }).click();
  await page.getByText('What was posted, by kind').first().waitFor();
  await page
    .getByRole('table', { name: 'What was posted, by kind' })
    .getByText('card top up')
    .waitFor();
  const lines = page.getByRole('table', { name: 'Lines of the statement, newest first' });
  await lines.getByText('1,203.28 USD').first().waitFor();
  sound();
});

test('any screen is reached by the keyboard, and letters can be turned off', async () => {
  await at('');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Screen, or any name of a thing' }).fill('webh');
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page
    .getByRole('combobox', { name: 'Screen, or any name of a thing' })
    .fill(paid.reference_id);
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).search).toBe(`?q=${paid.reference_id}`);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('This list').waitFor();
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await press('Look and keys');
  await page.getByLabel('Letters as shortcuts').selectOption('off');
  await press('Close');
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  expect(new URL(page.url()).pathname).toMatch(/payments$/);
  sound();
});

test('colours follow the choice of the reader, and stay after a reload', async () => {
  await at('/payments');
  await page.emulateMedia({ colorScheme: 'light' });
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await background();
  await press('Look and keys');
  await page.getByLabel('Colours').selectOption('dark');
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor();
  expect(await background()).toBe(dark);
  sound();
});

test('a developer sees deliveries of an endpoint, pauses it and makes a key, whose text is shown once', async () => {
  await at('/webhooks', one('developer'));
  await page.getByText('https://shop.example/hooks').waitFor();
  await page.getByRole('link', { name: 'Open' }).click();
  await page
    .getByRole('table', { name: /Events that were sent/ })
    .or(page.getByText('Nothing was sent yet.'))
    .first()
    .waitFor();
  await press('Pause');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByText('paused', { exact: true }).waitFor();
  await press('Resume');
  await page.getByText('active', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'API keys' }).click();
  await press('Make a key');
  await page.getByLabel('Name').fill('Shop');
  await page.getByRole('dialog').getByRole('button', { name: 'Make', exact: true }).click();
  await page.getByText('it is not shown again').waitFor();
  const key = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await press('I have it');
  await page.getByRole('table', { name: 'API keys, newest first' }).getByText('Shop').waitFor();
  expect(await page.content()).not.toContain(key);
  sound();
});

test('a viewer is offered nothing that would be refused', async () => {
  await at('/invoices', one('viewer'));
  await page.getByText('There is no invoice yet.').waitFor();
  expect(await page.locator('nav#screens li').allInnerTexts()).toEqual([
    ...['Home', 'Payments', 'Payouts', 'Invoices'],
  ]);
  await at('/webhooks', one('viewer'));
  await page.getByRole('heading', { name: 'Not yours' }).waitFor();
  sound();
});

const SCREENS = [
  ...[
    ['home', ''],
    ['wallet', '/wallets/1'],
    ['payouts', '/payouts'],
    ['approvals', '/approvals'],
  ],
  ...[
    ['invoices', '/invoices'],
    ['webhooks', '/webhooks'],
    ['events', '/events'],
    ['keys', '/keys'],
  ],
  ['webhook', `/webhooks/${made.data.endpoint_id}`],
] as const;

test.each(SCREENS)(
  'the screen %s reads well on a phone and a desk, in both schemes',
  async (name, path) => {
    const [wallet] = await h.db
      .selectFrom('fiat_wallets')
      .select('wallet_id')
      .where('user_id', '=', owner.user_id)
      .execute();
    await at(String(path).replace('/wallets/1', `/wallets/${wallet?.wallet_id}`));
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await page.locator('h1').waitFor();
        await expect.poll(() => page.getByText('One moment…').count()).toBe(0);
        await picture(page, `client-${name}-${width}-${colorScheme}`);
        expect([name, width, await violationsOn(page)]).toEqual([name, width, []]);
        expect([name, width, await page.evaluate<boolean>(IS_WIDE)]).toEqual([name, width, false]);
      }
    expect(page.url()).toContain(consoleOf(h));
    sound();
  },
);
