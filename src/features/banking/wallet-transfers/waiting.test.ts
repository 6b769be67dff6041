import { expect, test } from 'vitest';
import { banking, codeOf } from '#test/banking.ts';
import { type Body, harness } from '#test/harness.ts';

const h = await harness();
const { client_id } = await h.client();
const { holder, balance, send, sums } = banking(h);
const ada = await h.user({ role: 'admin', client_id });
const ben = await h.user({ role: 'admin', client_id });
const payer = await holder(client_id, '100.00');
const payee = await holder(client_id);

async function policy(when: string, then: object): Promise<void> {
  const body = { name: when, applies_to: ['transfer'], when, then };
  const [, { data }] = await h.call('POST /policies', { as: ada, body });
  const publish = { as: ben, params: data, body: { version: 1 } };
  expect((await h.call('POST /policies/{policy_id}/publish', publish))[0]).toBe(200);
}
await policy('amount_minor == 1000', { approve: { count: 1 } });
await policy('amount_minor == 2000', { hold_s: 600 });
await policy('amount_minor == 3000', { deny: { message: 'Not today' } });

const to = { user_id: payee.user_id };
const read = async (transfer_id: string): Promise<Body> => {
  const id = 'GET /wallets/fiat/transfers/{transfer_id}';
  return (await h.call(id, { as: payer, params: { transfer_id } }))[1].data;
};

/** A transfer that waits for an approval, and that. */
async function waiting(): Promise<{ data: Body; approval: Body }> {
  const [, { data }] = await send(payer, { to, amount: '10.00' });
  expect([data.status, data.substatus]).toEqual(['PENDING_APPROVAL', 'waiting_for_approval']);
  const [, found] = await h.call('GET /approvals', { as: ada, query: { limit: 1 } });
  expect(found.data.items[0].object.id).toBe(data.transfer_id);
  return { data, approval: found.data.items[0] };
}

const decide = (what: 'approve' | 'reject', { approval_id, version, content_hash }: Body) =>
  h.call(`POST /approvals/{approval_id}/${what}`, {
    as: ada,
    params: { approval_id },
    body: { version, content_hash },
  });

test('what waits for an approval is held, and arrives with it', async () => {
  const { data, approval } = await waiting();
  expect(await balance(payer)).toBe('100.00 10.00');
  expect((await decide('approve', approval))[0]).toBe(200);
  expect((await read(data.transfer_id)).status).toBe('COMPLETED');
  expect([await balance(payer), await balance(payee)]).toEqual(['90.00 0.00', '10.00 0.00']);
});

test('what is rejected, or waits too long, is cancelled and says why', async () => {
  const { data, approval } = await waiting();
  await decide('reject', approval);
  expect(await read(data.transfer_id)).toMatchObject({
    status: 'CANCELLED',
    failure: { code: 'REJECTED' },
  });
  expect(await balance(payer)).toBe('90.00 0.00');
});

test('the sender calls off what waits, and it is approved no more', async () => {
  const { data, approval } = await waiting();
  const params = { transfer_id: data.transfer_id };
  const id = 'POST /wallets/fiat/transfers/{transfer_id}/cancel';
  expect((await h.call(id, { as: payer, params }))[1].data.status).toBe('CANCELLED');
  expect(codeOf(await decide('approve', approval))).toEqual([409, 'INVALID_STATUS']);
  expect(await balance(payer)).toBe('90.00 0.00');
});

test('what a policy holds arrives after its time', async () => {
  const [, { data }] = await send(payer, { to, amount: '20.00' });
  expect([data.status, data.substatus]).toEqual(['PENDING', 'held_by_policy']);
  await h.advance(660);
  await h.drain();
  await h.advance(60);
  await h.drain();
  expect((await read(data.transfer_id)).status).toBe('COMPLETED');
  expect(await balance(payee)).toBe('30.00 0.00');
});

test('a policy denies, and a stopped receiver is not paid by a late approval', async () => {
  expect(codeOf(await send(payer, { to, amount: '30.00' }))).toEqual([403, 'POLICY_DENIED']);
  const { data, approval } = await waiting();
  await h.call('POST /admins/users/{user_id}/stop', {
    as: ada,
    params: { user_id: payee.user_id },
    body: { reason: 'Under review' },
  });
  await decide('approve', approval);
  expect(await read(data.transfer_id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'RECIPIENT_UNAVAILABLE' },
  });
  expect(await balance(payer)).toBe('70.00 0.00');
});

test('what a stopped sender has waiting is given back', async () => {
  const other = await holder(client_id, '50.00');
  for (let n = 0; n < 2; n += 1) {
    const [, { data }] = await send(other, { to: { user_id: payer.user_id }, amount: '10.00' });
    expect(data.status).toBe('PENDING_APPROVAL');
  }
  await h.call('POST /admins/users/{user_id}/stop', {
    as: ada,
    params: { user_id: other.user_id },
    body: { reason: 'Under review' },
  });
  await h.drain();
  expect(await balance(other)).toBe('50.00 0.00');
  expect(await sums()).toEqual([]);
});
