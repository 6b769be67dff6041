import { describe, expect, it } from 'vitest';
import { qrisText } from '#sandbox/providers/gateway/qris.ts';
import { doneBy, testGateway } from '#test/gateway.ts';

const { sandbox, gateway, payment } = await testGateway();
const post = (url: string, body?: string) =>
  fetch(url, {
    method: 'POST',
    ...(body === undefined
      ? {}
      : { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  });

describe('the payment page', () => {
  it('runs no script, loads nothing, and is not cached', async () => {
    const { paymentUrl } = await payment();
    const { headers } = await fetch(paymentUrl);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('does nothing for a form without an action', async () => {
    const { paymentUrl, reference } = await payment();
    for (const body of [undefined, '', 'action=steal', 'action=toString'])
      expect((await post(paymentUrl, body)).status).toBe(400);
    expect(doneBy(await gateway.findPayment(reference))?.status).toBe('PENDING');
    expect((await post(`${sandbox.url}/gateway/web/invoices/none`, 'action=pay')).status).toBe(404);
  });

  it('of an expired payment offers no way to pay', async () => {
    const { paymentUrl } = await payment();
    await sandbox.control('POST /clock', { advance_s: 86_401 });
    const html = await (await fetch(paymentUrl)).text();
    expect(html).toContain('This payment has expired');
    expect(html).not.toContain('<button');
  });
});

describe('a QRIS code', () => {
  /** Field by field: number, length in two digits, value. */
  function fieldsOf(text: string): Map<string, string> {
    const fields = new Map<string, string>();
    for (let rest = text; rest !== ''; ) {
      const length = Number(rest.slice(2, 4));
      fields.set(rest.slice(0, 2), rest.slice(4, 4 + length));
      rest = rest.slice(4 + length);
    }
    return fields;
  }

  it('has the amount of one payment in fields that fill it exactly', () => {
    const fields = fieldsOf(qrisText('0123456789abcdef01234567', 25_000));
    expect(Object.fromEntries(fields)).toMatchObject({
      '00': '01',
      '01': '12',
      53: '360',
      54: '25000',
      58: 'ID',
      63: expect.stringMatching(/^[0-9A-F]{4}$/),
    });
    expect([...fields.keys()].at(-1)).toBe('63');
  });

  it('carries a checksum that no changed amount keeps', () => {
    const sums = [1, 25_000, 25_001, 100_000_000].map((rupiah) => qrisText('a', rupiah).slice(-4));
    expect(new Set(sums).size).toBe(4);
  });
});
