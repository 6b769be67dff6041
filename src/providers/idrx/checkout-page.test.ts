import { beforeAll, expect, it } from 'vitest';
import { doneBy } from '#test/gateway.ts';
import { testIdrx } from '#test/idrx.ts';

const chain = { isAway: false };
const { gateway, wish, settings } = await testIdrx(async () => {
  if (chain.isAway) throw new Error('away');
  return `0x${'ab'.repeat(32)}`;
});
beforeAll(() => {
  chain.isAway = false;
});

const open = async () => doneBy(await gateway.createPayment(wish()));
const post = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) });

it('offers the ways to pay with their prices, and mints for the payer', async () => {
  const { paymentUrl, reference } = await open();
  const shown = await fetch(paymentUrl);
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await shown.text();
  for (const price of ['25000', '28000', '25417.50']) expect(html).toContain(`IDR&nbsp;${price}`);
  const paid = await (await post(paymentUrl, { action: 'pay', way: 'VA' })).text();
  expect(paid).toContain('Payment received');
  expect(paid).toContain('25000 IDRX are at');
  expect(doneBy(await gateway.findPayment(reference))).toMatchObject({ units: 2_800_000n });
});

it('shows the token as pending while the chain is away', async () => {
  const { paymentUrl } = await open();
  chain.isAway = true;
  const paid = await (await post(paymentUrl, { action: 'pay', way: 'QRIS' })).text();
  expect(paid).toContain('25000 IDRX are on their way to');
});

it('can expire, refuses other ways to pay, and knows no other payment', async () => {
  const { paymentUrl, reference } = await open();
  expect((await post(paymentUrl, { action: 'pay', way: 'CASH' })).status).toBe(400);
  expect((await post(paymentUrl, {})).status).toBe(400);
  expect(await (await post(paymentUrl, { action: 'expire' })).text()).toContain('has expired');
  expect(doneBy(await gateway.findPayment(reference))?.status).toBe('EXPIRED');
  const unknown = `${settings.url()}/checkout/none`;
  expect((await fetch(unknown)).status).toBe(404);
  expect((await post(unknown, { action: 'pay' })).status).toBe(404);
});
