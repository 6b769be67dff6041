import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { GOOD, POOR } from '#test/cards.ts';
import { harness } from '#test/harness.ts';
import { invoicesOf, keepPicture } from '#test/invoices.ts';
import { violationsOn } from './axe.ts';
import { picture, type TestPage, testBrowser } from './browser.ts';

const browser = await testBrowser();
const h = await harness({ mock: false });
const invoices = invoicesOf(h);
const { client_id } = await h.client();
const merchant = await h.user({ client_id });
const admin = await h.user({ role: 'admin', client_id });
await h.call('PUT /payment-gateway/settings', {
  as: admin,
  body: {
    display_name: 'Lamp & Co',
    color: '#0b3d6e',
    support_email: 'help@example.com',
    logo_file_id: await keepPicture(h, admin),
  },
});

const PHONE = { width: 360, height: 740 };
const items = [
  { name: 'Desk lamp <brass>', quantity: 2, unit_amount: '20000' },
  { name: 'Shipping', quantity: 1, unit_amount: '10000' },
];
const asked = (more: object = {}) =>
  invoices.rupiah(merchant, {
    items,
    description: 'Order 2041',
    return_url: 'https://shop.example.com/orders/2041',
    ...more,
  });

async function phone(language: 'en' | 'id', colorScheme: 'light' | 'dark' = 'light') {
  const visit = await browser.page();
  await visit.page.setViewportSize(PHONE);
  await visit.page.emulateMedia({ colorScheme });
  await visit.page.setExtraHTTPHeaders({ 'accept-language': language });
  return visit;
}

/** A browser that leaves a page gives up what it waits for, and says so. */
const expectSound = ({ problems }: TestPage) =>
  expect(problems.filter((one) => !/\/checkout\/\S+ net::ERR_ABORTED/.test(one))).toEqual([]);

/** The browser says that of a refusal, too. */
const expectSoundOr400 = ({ problems }: TestPage) =>
  expect(problems.filter((one) => !/\b400\b|ERR_ABORTED/.test(one))).toEqual([]);

const WIDTH_BEYOND = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Goes there by the tabulator alone, and presses. */
async function reach(page: Page, selector: string): Promise<void> {
  await page.locator(selector).waitFor();
  for (let n = 0; n < 30; n++) {
    await page.keyboard.press('Tab');
    if ((await page.locator(`${selector}:focus`).count()) === 1) {
      await page.keyboard.press('Enter');
      return;
    }
  }
  throw new Error(`${selector} is not reached by the keyboard`);
}

test.each([
  ['qris', 'en'],
  ['va', 'id'],
  ['ewallet', 'en'],
] as const)('%s is paid on a phone by the keyboard alone', async (method, language) => {
  const { checkout_url, invoice_id } = await asked();
  const visit = await phone(language);
  const { page } = visit;
  await page.goto(checkout_url);
  const watching = await phone(language);
  await watching.page.goto(checkout_url);
  await watching.page.locator('h1').waitFor();
  await reach(page, `#pay-${method}`);
  await page.locator(`#go-${method}`).waitFor();
  await picture(page, `checkout-${method}-open`);
  expect(await page.evaluate(WIDTH_BEYOND)).toBe(0);
  await reach(page, `#go-${method}`);
  await page.waitForURL(/\/gateway\/web\/invoices\//);
  await reach(page, 'button[value=pay]');
  await page.getByRole('heading', { name: /received/ }).waitFor();
  await h.drain();
  const paid = language === 'en' ? 'Payment received' : 'Pembayaran diterima';
  // Another page, which was not loaded again.
  await watching.page.getByRole('heading', { name: paid }).waitFor();
  expect(await watching.page.title()).toContain(paid);
  expect(await watching.page.locator('[data-left]').count()).toBe(0);
  const back = await watching.page.locator('a.button').getAttribute('href');
  expect(back).toContain(
    `https://shop.example.com/orders/2041?invoice_id=${invoice_id}&status=PAID`,
  );
  await picture(watching.page, `checkout-${method}-paid`);
  expectSound(watching);
  expectSound(visit);
});

test.each(['light', 'dark'] as const)(
  'a card pays on a phone by the keyboard alone, after one that is declined, in %s',
  async (theme) => {
    const { checkout_url } = await invoices.created(merchant);
    const visit = await phone('en', theme);
    const { page } = visit;
    const typed = async (number: string) => {
      await page.locator('#card_number').focus();
      await page.keyboard.type(number);
      await page.keyboard.press('Tab');
      await page.keyboard.type('11/39');
      await page.keyboard.press('Tab');
      await page.keyboard.type('739');
      await reach(page, '#pay-card');
    };
    await page.goto(checkout_url);
    await typed(POOR);
    await page.locator('[role=alert]').waitFor();
    expect(await page.locator('#card_number').inputValue()).toBe('');
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate(WIDTH_BEYOND)).toBe(0);
    await picture(page, `checkout-card-declined-${theme}`);
    await typed(GOOD);
    await page.getByRole('heading', { name: 'Payment received' }).waitFor();
    await picture(page, `checkout-card-paid-${theme}`);
    expectSoundOr400(visit);
  },
);

test.each([
  ['en', 'light'],
  ['en', 'dark'],
  ['id', 'light'],
  ['id', 'dark'],
] as const)(
  'the page has no fault of axe, in %s and %s, whatever its state',
  async (language, theme) => {
    const open = await asked();
    const tried = await asked({ methods: ['qris', 'va'] });
    await invoices.begun(merchant, tried.invoice_id, 'va');
    const cancelled = await asked();
    await invoices.cancel(merchant, cancelled.invoice_id);
    const dollars = await invoices.created(merchant);
    const visit = await phone(language, theme);
    for (const [name, { checkout_url }] of Object.entries({ open, tried, cancelled, dollars })) {
      await visit.page.goto(checkout_url);
      await visit.page
        .locator('summary')
        .first()
        .click({ timeout: 500 })
        .catch(() => undefined);
      expect([name, await violationsOn(visit.page)]).toEqual([name, []]);
      expect(await visit.page.evaluate(WIDTH_BEYOND)).toBe(0);
      await picture(visit.page, `checkout-${name}-${language}-${theme}`);
    }
    await visit.page.setViewportSize({ width: 320, height: 600 });
    expect(await visit.page.evaluate(WIDTH_BEYOND)).toBe(0);
    expectSound(visit);
  },
);

test.each(['light', 'dark'] as const)(
  'a link is opened on a phone, an amount named, and its invoice paid, by the keyboard, in %s',
  async (theme) => {
    const terms = { title: 'Lamp workshop', currency: 'IDR', min: '10000', max: '90000' };
    const [, { data }] = await h.call('POST /payment-gateway/links', {
      as: merchant,
      body: { ...terms, usage: 'many' },
    });
    const visit = await phone('id', theme);
    const { page } = visit;
    await page.goto(data.url);
    expect(await violationsOn(page)).toEqual([]);
    await page.locator('#amount').focus();
    await page.keyboard.type('5');
    await reach(page, '#continue');
    await page.getByRole('alert').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await picture(page, `link-refused-${theme}`);
    await page.locator('#amount').fill('25000');
    await reach(page, '#continue');
    await page.locator('#pay-qris').waitFor();
    await reach(page, '#pay-qris');
    await reach(page, '#go-qris');
    await page.waitForURL(/\/gateway\/web\/invoices\//);
    await reach(page, 'button[value=pay]');
    await page.getByRole('heading', { name: /received/ }).waitFor();
    await h.drain();
    const params = { link_id: data.link_id };
    const [, paid] = await h.call('GET /payment-gateway/links/{link_id}', { as: merchant, params });
    expect(paid.data.paid).toBe(1);
  },
);

test('the page works without script, up to its reload', async () => {
  const { checkout_url, invoice_id } = await asked();
  const { page } = await browser.page({ javaScriptEnabled: false });
  await page.goto(checkout_url);
  await page.click('#pay-va');
  await page.locator('#go-va').waitFor();
  await page.click('#cancel-va');
  await page.locator('#pay-va').waitFor();
  expect((await invoices.read(merchant, invoice_id))[1].data.payments).toHaveLength(1);
  await invoices.cancel(merchant, invoice_id);
  await page.reload();
  await page.getByRole('heading', { name: 'This payment was cancelled' }).waitFor();
});

/** What a line of 200 kB and 150 ms carries in half a second after the two round trips of a connection and a request. */
const PAGE_BYTES = 100_000;

test('the first paint needs the page and one style sheet, and nothing comes from elsewhere', async () => {
  const { checkout_url } = await asked();
  const { page } = await phone('en');
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto(checkout_url);
  await page.getByRole('heading').first().waitFor();
  const size = await page.evaluate<number>(
    `performance.getEntriesByType('navigation')[0].encodedBodySize`,
  );
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThan(PAGE_BYTES);
  const blocking = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').filter((one) => one.renderBlockingStatus === 'blocking').map((one) => one.name)`,
  );
  const { origin } = new URL(checkout_url);
  expect(blocking).toEqual([`${origin}/pages/page.css`]);
  expect(addresses.filter((address) => !address.startsWith(origin))).toEqual([]);
});
