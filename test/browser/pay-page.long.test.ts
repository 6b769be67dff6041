import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { look, payerOn, shopper, unitsOf } from '#test/marketplace.ts';
import { expectSound, picture, testBrowser } from './browser.ts';
import { scan } from './scan.ts';

const browser = await testBrowser();
const h = await harness();
const shop = shopper(h, await h.user());
const payer = await payerOn(h, 'sepolia');

async function pageOf(order_id: string) {
  const [, { payment_url }] = await h.call('GET /marketplace/orders/{order_id}', {
    as: shop.as,
    params: { order_id },
  });
  const visit = await browser.page();
  await visit.page.goto(payment_url);
  return { ...visit, payment_url };
}

test('the page shows amount and address, and the payment once it arrives', async () => {
  const order = await shop.ordered(payer.address);
  const visit = await pageOf(order.order_id);
  const { page } = visit;
  await page.getByRole('heading', { name: `Pay ${order.token_amount} USDC` }).waitFor();
  for (const text of [order.contract_address, payer.address, 'Ethereum, Sepolia Testnet'])
    await page.getByText(text, { exact: true }).waitFor();
  const code = page.getByRole('img', { name: 'QR code of this payment' });
  expect(await scan(code)).toContain(`/transfer?address=${order.contract_address}&uint256=`);
  await picture(page, 'pay-open');
  await payer.transfer(unitsOf(order));
  await look(h);
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  expect(await page.title()).toContain('Payment received');
  expect(await page.getByRole('img').count()).toBe(0);
  await picture(page, 'pay-paid');
  await page.reload();
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  expectSound(visit);
});

test('the page shows nothing of the buyer, and is 404 without its key', async () => {
  const order = await shop.ordered(payer.address);
  const { page, payment_url } = await pageOf(order.order_id);
  const text = await page.content();
  for (const value of Object.values(order.recipient_data) as string[])
    expect(text).not.toContain(value);
  for (const url of [payment_url.replace(/key=.*/, ''), `${payment_url}x`]) {
    const reply = await fetch(url);
    expect([reply.status, (await reply.text()).includes('nothing to pay here')]).toEqual([
      404,
      true,
    ]);
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
});

/** Contrast of the text of every element with what is behind it, by WCAG; the worst one. */
const WORST_CONTRAST = `(() => {
  const parse = (c) => (c.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (el) => {
    for (let at = el; at; at = at.parentElement) {
      const c = parse(getComputedStyle(at).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const texts = [...document.querySelectorAll('main *')].filter((el) =>
    [...el.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()));
  return Math.min(...texts.map((el) => {
    const [a, b] = [light(parse(getComputedStyle(el).color)), light(behind(el))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  }));
})()`;
/** How far one would have to scroll to the side. */
const WIDTH_BEYOND = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

test('the page can be read on a small screen, in light and dark, without a mouse', async () => {
  const product = {
    productId: 'odd',
    title: `<b>Lamp</b> "1" & ${'long'.repeat(60)}`,
    pricing: { price: 12.5, currency: 'USD' },
  };
  const [, { order }] = await shop.order({ product, wallet_address: payer.address });
  for (const colorScheme of ['light', 'dark'] as const) {
    const visit = await pageOf(order.order_id);
    const { page } = visit;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 640 });
    await page.getByText('<b>Lamp</b> "1" &').waitFor();
    expect(await page.evaluate(WIDTH_BEYOND)).toBe(0);
    expect(await page.evaluate(WORST_CONTRAST)).toBeGreaterThan(4.5);
    await page.keyboard.press('Tab');
    expect(await page.locator('a:focus').textContent()).toBe('Open in a wallet');
    await picture(page, `pay-${colorScheme}`);
    expectSound(visit);
  }
});
