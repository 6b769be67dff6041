import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { setHolder } from '#sandbox/providers/bank-host/simulated-holders.ts';
import { doneBy, testGateway } from '#test/gateway.ts';
import { xendit } from './xendit.ts';

const g = await testGateway();
const at = (accountNumber: string) => ({
  bankCode: 'BCA',
  accountNumber,
  accountName: 'Siti Rahma',
});

test('the gateway tells in whose name an account is', async () => {
  await setHolder(g.sandbox.world.records, '1234567890', { name: 'Siti' });
  expect(doneBy(await g.gateway.holderOf(at('1234567890')))).toEqual({ name: 'Siti' });
  expect(doneBy(await g.gateway.holderOf(at('0000567890')))).toBe('no-account');
  expect(doneBy(await g.gateway.holderOf(at('9994567890')))).toBe('undisclosed');
});

/** What it answers next. */
let answer = { status: 200, body: {} as object };
const server = createServer((_, reply) => {
  reply.writeHead(answer.status, { 'content-type': 'application/json' });
  reply.end(JSON.stringify(answer.body));
}).listen(0);
afterAll(() => server.close());
const { port } = server.address() as AddressInfo;
const strange = xendit({ ...g.settings, url: () => `http://127.0.0.1:${port}` });

test.each([
  [200, { status: 'PENDING', bank_account_number: '1234567890' }],
  [200, { status: 'SUCCESS', bank_account_number: '1234567891', bank_account_holder_name: 'A' }],
  [200, { status: 'SUCCESS', bank_account_number: '1234567890', bank_account_holder_name: ' ' }],
  [200, { status: 'DONE', bank_account_holder_name: 'A' }],
  [200, ['SUCCESS']],
  [429, { error_code: 'RATE_LIMIT_EXCEEDED', message: 'Slow down' }],
  [500, {}],
])('an answer %i %j says nothing of the holder', async (status, body) => {
  answer = { status, body };
  expect(await strange.holderOf(at('1234567890'))).toMatchObject({ kind: 'unknown' });
});
