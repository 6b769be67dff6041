import { Buffer } from 'node:buffer';
import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureOf } from './signature.ts';

const secret = Buffer.from('idrx-test-secret').toString('base64');
const mint = {
  method: 'POST',
  url: 'https://api.idrx.co/transaction/mint-request',
  timestamp: '1700000000000',
  body:
    '{"toBeMinted":"20000","destinationWalletAddress":"0x1111111111111111111111111111111111111111",' +
    '"networkChainId":"8453","requestType":"idrx","expiryPeriod":60,"paymentMethod":"va",' +
    '"channelId":"MANDIRI"}',
};

test('the form over the address is what IDRX’s published helper makes', () => {
  expect(signatureOf('url', secret, mint)).toBe('TIiWEY8ESCqHQPv9XL0zEmpSYU7kdePmhIetvKvuxn8');
});

test('the form over the path is over method, path with query, hash of the body, and time', () => {
  const path = '/transaction/rates?chainId=137';
  const url = `https://api.idrx.co${path}`;
  const hash = createHash('sha256').update('').digest('hex');
  const right = createHmac('sha256', 'idrx-test-secret')
    .update(`GET:${path}:${hash}:1700000000000`)
    .digest('base64url');
  const signed = { method: 'GET', url, body: '', timestamp: '1700000000000' };
  expect(signatureOf('path', secret, signed)).toBe(right);
});

test('any change of a request breaks its signature', () => {
  for (const form of ['url', 'path'] as const) {
    const right = signatureOf(form, secret, mint);
    const others = [
      { ...mint, method: 'PUT' },
      { ...mint, url: `${mint.url}?again=1` },
      { ...mint, body: mint.body.replace('20000', '90000') },
      { ...mint, timestamp: '1700000000001' },
    ];
    for (const other of others) expect(signatureOf(form, secret, other)).not.toBe(right);
    expect(signatureOf(form, Buffer.from('another').toString('base64'), mint)).not.toBe(right);
  }
});
