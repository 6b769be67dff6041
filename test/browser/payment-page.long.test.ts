import { describe, expect, test } from 'vitest';
import { PAYMENT_METHODS } from '#providers/gateway/port.ts';
import { doneBy, testGateway } from '#test/gateway.ts';
import { expectSound, picture, testBrowser } from './browser.ts';
import { scan } from './scan.ts';

const browser = await testBrowser();
const { sandbox, gateway, payment } = await testGateway();

async function open(url: string) {
  const visit = await browser.page();
  await visit.page.goto(url);
  return visit;
}
const statusOf = async (reference: string) => doneBy(await gateway.findPayment(reference))?.status;

test('a person pays by a click, and the service gets one call-back', async () => {
  const { reference, paymentUrl } = await payment();
  const visit = await open(paymentUrl);
  const { page } = visit;
  await page.getByRole('heading', { name: 'Pay IDR 25,000' }).waitFor();
  const code = page.getByRole('img', { name: 'QRIS code of this payment' });
  // EMV's QR codes begin so; field 54 is the amount.
  expect(await scan(code)).toMatch(/^000201.*540525000/);
  await picture(page, 'payment-qris');
  const before = sandbox.received.length;
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  await page.getByRole('status').getByText('IDR 25,000 was paid').waitFor();
  await picture(page, 'payment-paid');
  expect(await statusOf(reference)).toBe('PAID');
  // Reloaded or opened again, it shows the state and requests no payment.
  await page.reload();
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  expect(await page.getByRole('button').count()).toBe(0);
  expect(sandbox.received.length - before).toBe(1);
  expectSound(visit);
});

test('a lapsed payment cannot be paid from a page that is still open', async () => {
  const { reference, paymentUrl } = await payment({ method: 'VA' });
  const [one, other] = [await open(paymentUrl), await open(paymentUrl)];
  await one.page.getByText(/3816\d{12}/).waitFor();
  await one.page.getByRole('button', { name: 'Let it expire' }).click();
  await one.page.getByRole('heading', { name: 'This payment has expired' }).waitFor();
  await picture(one.page, 'payment-expired');
  await other.page.getByRole('button', { name: 'Pay' }).click();
  await other.page.getByRole('heading', { name: 'This payment has expired' }).waitFor();
  expect(await statusOf(reference)).toBe('EXPIRED');
});

test('a link to no payment says so', async () => {
  const { page } = await open(`${sandbox.url}/gateway/web/invoices/nothing`);
  await page.getByRole('heading', { name: 'There is no such payment' }).waitFor();
});

/** How far one would have to scroll to the side. */
const WIDTH_BEYOND = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe.each(PAYMENT_METHODS)('the page of a payment by %s', (method) => {
  test('the page can be used on a small screen, in light and dark, without a mouse', async () => {
    const { paymentUrl } = await payment({
      method,
      description: `<b>Order</b> "1" & ${'long'.repeat(60)}`,
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open(paymentUrl);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 360, height: 640 });
      await page.getByText('<b>Order</b> "1" &').waitFor();
      expect(await page.evaluate(WIDTH_BEYOND)).toBe(0);
      await page.keyboard.press('Tab');
      const focused = page.locator('button:focus');
      expect(await focused.textContent()).toBe('Pay');
      await picture(page, `payment-${method}-${colorScheme}`);
    }
  });
});
