import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness, type Person } from '../harness.ts';
import { violationsOn } from './axe.ts';
import { picture, type TestPage, testBrowser } from './browser.ts';
import { builtConsole, enterConsole } from './console.ts';

/** Payments of all clients at the console: found by any name, narrowed, and shown one by one. */
const h = await harness({
  mock: false,
  config: { CONSOLE: 'on', OPERATOR_2FA: 'optional', CONSOLE_DIR: await builtConsole() },
});
const operator = await h.operator();
const grace = await h.user({ ekyc_status: 'APPROVED' });
const another = await h.user({ ekyc_status: 'APPROVED' });
const CARD = { card_number: '4111111111111111', expiry_date: '1239', currency_code: 'USD' };

async function topUp(as: Person, body: object): Promise<string> {
  const [status, answer] = await h.call('POST /card-checkout/card', {
    as,
    body: { ...CARD, ...body },
  });
  expect([200, 400, 503], JSON.stringify(answer)).toContain(status);
  return answer.data?.reference_id;
}

const first = await topUp(grace, {
  amount: '40.00',
  reference: 'invoice-1',
  metadata: { po: '7' },
});
await topUp(another, { amount: '5.00', card_number: '4000000000000002' });
await h.sandbox('POST', '/faults', { provider: 'card-network', kind: 'drop', times: 2 });
await topUp(another, { amount: '7.00' });
await h.kernel.events.settle();
const [found] = await run<{ rrn: string }>(
  h.db,
  'select rrn from card_transactions where reference_id = $1',
  [first],
);
const [doubtful] = await run<{ our_reference: string }>(
  h.db,
  "select our_reference from payments where status = 'PENDING'",
  [],
);

const browser = await testBrowser();
let visit: TestPage;
let page: Page;
beforeEach(async () => {
  visit = await browser.page();
  page = visit.page;
});

const at = (path: string) => enterConsole(h, page, operator, path);
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const rows = () => page.getByRole('table', { name: 'Payments, newest first' }).locator('tbody tr');
const sound = () => expect(visit.problems).toEqual([]);

test('the list has payments of every client, newest first, and any name finds one', async () => {
  await at('');
  await page.getByRole('link', { name: 'Payments' }).click();
  await expect.poll(() => rows().count()).toBe(3);
  await rows().nth(0).getByText('7.00 USD').waitFor();
  for (const name of ['invoice-1', first, found?.rrn ?? '']) {
    await page.getByLabel('Any name of it').fill(name);
    await press('Show');
    await expect.poll(() => rows().count()).toBe(1);
    await rows().nth(0).getByText('40.00 USD').waitFor();
  }
  await press('Show all');
  await expect.poll(() => rows().count()).toBe(3);
  sound();
});

test('filters narrow the list, and its address keeps them', async () => {
  await at('/payments');
  await expect.poll(() => rows().count()).toBe(3);
  await page.getByLabel('Status').selectOption('FAILED');
  await press('Show');
  await expect.poll(() => rows().count()).toBe(1);
  await page.reload();
  await rows().nth(0).getByText('5.00 USD').waitFor();
  await press('Show all');
  await page.getByText('More filters').click();
  await page.getByLabel('Person’s number').fill(String(another.user_id));
  await page.getByLabel('From amount').fill('6');
  await page.getByLabel('From day (UTC)').fill(h.clock.now().toISOString().slice(0, 10));
  await page.getByLabel('Direction').selectOption('in');
  await press('Show');
  await expect.poll(() => rows().count()).toBe(1);
  await rows().nth(0).getByText('7.00 USD').waitFor();
  await page.getByLabel('To amount').fill('6.99');
  await press('Show');
  await page.getByText('There is no such payment.').waitFor();
  sound();
});

test('a payment shows what it is, what has happened, and takes metadata', async () => {
  await at(`/payments?q=${first}`);
  await rows().getByRole('link', { name: 'Open' }).click();
  await page.getByText('invoice-1').waitFor();
  await page.getByText('payment.succeeded').waitFor();
  await press('Set metadata');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('case');
  await dialog.getByLabel('Value').fill('4711');
  await picture(page, 'console-payment-metadata');
  await dialog.getByRole('button', { name: 'Set metadata' }).click();
  await page.getByText('4711').waitFor();
  await page.getByRole('link', { name: 'All that is recorded' }).click();
  await page.getByText('posting', { exact: true }).first().waitFor();
  sound();
});

test('a payment in doubt says since when, and is looked up at once on request', async () => {
  await at(`/payments?q=${doubtful?.our_reference}`);
  await rows().getByText('in doubt').waitFor();
  await rows().getByRole('link', { name: 'Open' }).click();
  await page.getByText('In doubt since').waitFor();
  await picture(page, 'console-payment-in-doubt');
  await press('Try again');
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
  await page
    .getByRole('status')
    .getByText(/is looked at again now/)
    .waitFor();
  sound();
});

test.each([
  ['payments', '/payments', 'Payments'],
  ['payments-narrowed', '/payments?direction=in&currency=USD', 'Payments'],
  ['payment', `/payments/${first}`, 'What has happened'],
])(
  'the screen %s reads well in light and dark, wide and on a phone',
  async (name, path, heading) => {
    await at(path);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1000, 1400]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await page.getByRole('heading', { name: heading, exact: true }).waitFor();
        await expect.poll(() => page.getByText('One moment…').count()).toBe(0);
        await picture(page, `console-${name}-${colorScheme}-${width}`);
        expect(await violationsOn(page), `${colorScheme} ${width}`).toEqual([]);
        const beyond =
          'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(beyond), 'nothing sticks out').toBe(0);
      }
    sound();
  },
);
