import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { EXPIRY, GOOD } from '#test/cards.ts';
import { harness } from '#test/harness.ts';

const h = await harness();

test('a repetition is known by what it asks for, however that is written', async () => {
  const as = await h.user();
  const card = { card_number: GOOD, expiry_date: EXPIRY };
  const headers = { 'idempotency-key': randomUUID() };
  const id = 'POST /card-checkout/cardcc';
  const send = (body: unknown) => h.send(id, { as, headers, body });
  const first = await send({ ...card, amount: '10.00', currency_code: 'USD' });
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  for (const same of [
    { currency_code: 'USD', amount: '10.00', ...card },
    { ...card, amount: 10, currency_code: 'USD' },
    JSON.stringify({ ...card, amount: '10', currency_code: 'USD' }, null, 2),
  ]) {
    const again = await send(same);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  }
  for (const other of [
    { ...card, amount: '10.01', currency_code: 'USD' },
    { ...card, amount: '10.00', currency_code: 'SGD' },
  ])
    expect((await send(other)).status).toBe(422);
});

test('an answer that was kept by the bytes of its request is repeated to the same bytes', async () => {
  const { idempotency, vault } = h.kernel;
  const before = { key: randomUUID(), owner: 'me', body: '{"a":1,"b":2}', raw: '{ "b":2, "a":1 }' };
  const claim = await idempotency.claim(before);
  if ('payload' in claim) throw new Error('answered already');
  const fingerprint = vault.fingerprint(before.raw, 'idempotency body');
  const row = h.db.updateTable('idempotency_keys').where('scope', '=', claim.scope);
  await row.set({ fingerprint }).execute();
  await idempotency.release(claim);
  const taken = await idempotency.claim(before);
  if ('payload' in taken) throw new Error('answered already');
  expect(taken.operation).toBe(claim.operation);
  await row.set({ fingerprint }).execute();
  const answer = { status: 200, type: 'text/plain', payload: 'x' };
  await idempotency.keep(h.db, taken, answer);
  expect(await idempotency.claim(before)).toEqual(answer);
  await expect(idempotency.claim({ ...before, raw: '{}' })).rejects.toMatchObject({ status: 422 });
});

test('two lines of Idempotency-Key are no key', async () => {
  const as = await h.user();
  const { hostname: host, port } = new URL(h.app.apiUrl());
  const body = JSON.stringify({ currency: 'INR' });
  const socket = connect({ host, port: Number(port) });
  const head = [
    ...['POST /api/wallets/fiat HTTP/1.1', 'host: here', 'connection: close'],
    ...[`x-api-key: ${h.key}`, `authorization: Bearer ${as.token}`],
    ...['content-type: application/json', `content-length: ${body.length}`],
    ...['idempotency-key: a', 'Idempotency-Key: b'],
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const told = await text(socket);
  expect(told).toMatch(/^HTTP\/1.1 400 /);
  expect(told).toContain('Idempotency-Key must be sent once');
});
