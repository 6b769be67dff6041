import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { prettyLines } from '#kernel/pretty-log.ts';
import { type CallOptions, harness } from './harness.ts';

/** The log lines by which an operator follows a customer's request. */
const h = await harness({ config: { LOG_ADDRESSES: 'on' } });
const user = await h.user({ ekyc_status: 'APPROVED' });
const key = await h.apiKey({ client_id: user.client_id, user_id: user.user_id });

/** The lines of the request with that id. */
const linesOf = async (id: string) => {
  const lines = () => h.logs.filter((line) => line.includes(id)).map((line) => JSON.parse(line));
  await expect.poll(lines).toContainEqual(expect.objectContaining({ msg: 'request' }));
  return lines();
};

async function topUp(id: string, card_number: string, more: CallOptions = {}) {
  const body = { card_number, expiry_date: '1232', amount: '10.00', currency_code: 'USD' };
  const headers = { 'x-request-id': id, 'idempotency-key': id.slice(0, 5) };
  await h.call('POST /card-checkout/card', { as: user, key, body, headers, ...more });
  return linesOf(id);
}
await h.call('POST /wallets/fiat', { as: user, body: { currency: 'USD' } });

test('a declined card’s line has its customer, reason and operation', async () => {
  const [line, ...others] = await topUp('decl-1', '4000000000000002');
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    level: 'info',
    msg: 'request',
    route: 'POST /card-checkout/card',
    status: 400,
    code: 'CARD_DECLINED',
    client_id: user.client_id,
    user_id: user.user_id,
    key: key.slice(0, 10),
    ip: '127.0.0.1',
    operation: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  // Four digits in a row may be part of an id.
  expect(JSON.stringify({ ...line, operation: '' })).not.toMatch(/4000000000000002|1232/);
});

test('a repeated answer’s line says so, and has no operation', async () => {
  const [first] = await topUp('good-1', '4111111111111111');
  const [again] = await topUp('good-2', '4111111111111111');
  expect(first).toMatchObject({ status: 200, operation: expect.any(String) });
  expect(first).not.toHaveProperty('replayed');
  expect(again).toMatchObject({ status: 200, replayed: true, user_id: user.user_id });
  expect(again).not.toHaveProperty('operation');
});

test('a refused caller’s line has no identity, and nothing of their credentials', async () => {
  const [, line] = await Promise.all([
    h.call('GET /keys/sdk-key', {
      key: 'ak_made_up_by_somebody',
      headers: { 'x-request-id': 'door-1', authorization: 'Bearer made.up.token' },
    }),
    linesOf('door-1').then(([found]) => found),
  ]);
  expect(line).toMatchObject({ status: 401, code: 'API_KEY_INVALID' });
  for (const name of ['key', 'user_id', 'client_id']) expect(line).not.toHaveProperty(name);
  expect(h.logs.join('')).not.toContain('made');
});

test('a line of a refused token names the API key beside it', async () => {
  const headers = { 'x-request-id': 'door-2', authorization: 'Bearer made.up.token' };
  const [, [line]] = await Promise.all([
    h.call('GET /keys/sdk-key', { key, headers }),
    linesOf('door-2'),
  ]);
  expect(line).toMatchObject({
    status: 401,
    code: 'TOKEN_INVALID',
    key: key.slice(0, 10),
    client_id: user.client_id,
  });
  expect(line).not.toHaveProperty('user_id');
});

test('a developer reads them as lines', async () => {
  const printed: string[] = [];
  const destination = new Writable({
    write(part, _encoding, done) {
      printed.push(String(part));
      done();
    },
  });
  const printer = await prettyLines(destination);
  const [line] = await topUp('pret-1', '4000000000000002');
  printer?.write(`${JSON.stringify(line)}\n`);
  await expect.poll(() => printed.join('')).toContain('CARD_DECLINED');
  expect(printed.join('')).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request \{/);
});
