import { Buffer } from 'node:buffer';
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
  /** Field by field, as EMV's book says: number, length in two digits, value, and nothing left over. */
  function decoded(text: string): Record<string, string> {
    const fields: Record<string, string> = {};
    for (let at = 0; at < text.length; ) {
      const [head = '', number = '', length = ''] = /^(\d\d)(\d\d)/.exec(text.slice(at)) ?? [];
      const value = text.slice(at + head.length, at + head.length + Number(length));
      if (head === '' || value.length !== Number(length)) throw new Error(`No field at ${at}`);
      if (fields[number] !== undefined) throw new Error(`${number} is there twice`);
      fields[number] = value;
      at += head.length + value.length;
    }
    return fields;
  }

  /** CRC-16/CCITT-FALSE by its table, to be another one than the writer's. */
  const TABLE = Array.from({ length: 256 }, (_, byte) =>
    Array.from({ length: 8 }).reduce<number>(
      (crc) => ((crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff) >>> 0,
      byte << 8,
    ),
  );
  const crcOf = (text: string) =>
    [...Buffer.from(text)].reduce(
      (crc, byte) => ((crc << 8) & 0xffff) ^ (TABLE[(crc >> 8) ^ byte] ?? 0),
      0xffff,
    );
  const hexOf = (crc: number) => crc.toString(16).toUpperCase().padStart(4, '0');

  it('has the amount of one payment in fields that fill it exactly', () => {
    const fields = decoded(qrisText('0123456789abcdef01234567', 25_000));
    expect(fields).toMatchObject({ '00': '01', '01': '12', 53: '360', 54: '25000', 58: 'ID' });
  });

  it('names the merchant by PAN in tag 26 and by NMID in sub-field 02 of tag 51', () => {
    const fields = decoded(qrisText('a', 1));
    const acquirer = decoded(fields[26] ?? '');
    expect(acquirer['00']).toMatch(/^ID\.CO\.[A-Z]+\.WWW$/);
    expect(acquirer['01']).toMatch(/^9360\d{14}$/);
    const national = decoded(fields[51] ?? '');
    expect(national).toEqual({
      '00': 'ID.CO.QRIS.WWW',
      '02': expect.stringMatching(/^ID\d{13}$/),
      '03': acquirer['03'],
    });
  });

  it('ends in the checksum of all before it', () => {
    expect(hexOf(crcOf('123456789'))).toBe('29B1');
    for (const rupiah of [1, 25_000, 25_001, 100_000_000]) {
      const text = qrisText('a', rupiah);
      expect(text.slice(-8)).toBe(`6304${hexOf(crcOf(text.slice(0, -4)))}`);
    }
  });
});
