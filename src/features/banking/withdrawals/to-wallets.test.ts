import { expect, test } from 'vitest';
import { batchMaker } from '#test/batches.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { clientWithPolicies } from '#test/policies.ts';
import { sumsByAsset, withdrawer } from '#test/withdrawals.ts';

const h = await harness();
await h.drain();

const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

async function walletRecipient(as: Person, wallet_id: number): Promise<string> {
  const body = { name: 'Rina', kind: 'wallet', details: { wallet_id } };
  const [status, { data }] = await h.call('POST /recipients', { as, body });
  expect(status).toBe(201);
  return data.recipient_id;
}

test('a withdrawal to a wallet of the client pays it at once, also by a quote', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const other = await withdrawer(h, 'USD', 100n, await h.user({ client_id: user.as.client_id }));
  const recipient_id = await walletRecipient(user.as, other.wallet_id);
  const [status, { data }] = await user.withdraw('25', { recipient_id });
  expect([status, data.status, data.fee]).toEqual([201, 'COMPLETED', '0.00']);
  expect(data.recipient).toMatchObject({ detail: `Wallet ${other.wallet_id}` });
  expect(await user.balance()).toEqual({ balance: '75.00', held: '0.00' });
  expect(await other.balance()).toEqual({ balance: '26.00', held: '0.00' });
  const third = await withdrawer(h, 'SGD', 100n, other.as);
  const quote = { from_currency: 'USD', to_currency: 'SGD', from_amount: '10', valid_for: '24h' };
  const [, { data: by }] = await h.call('POST /fx/quotes', { as: user.as, body: quote });
  const to = await walletRecipient(user.as, third.wallet_id);
  const [, { data: quoted }] = await user.withdraw('10', {
    recipient_id: to,
    quote_id: by.quote_id,
  });
  expect([quoted.status, quoted.received]).toEqual([
    'COMPLETED',
    { amount: by.to_amount, currency: 'SGD' },
  ]);
  const { balance } = await third.balance();
  expect(Number(balance)).toBeCloseTo(1 + Number(by.to_amount), 2);
  expect(await sumsByAsset(h)).toEqual([]);
});

test('a withdrawal to the wallet that pays, or to a stopped receiver, is refused', async () => {
  const user = await batchMaker(h, 'USD', 10_000n);
  const own = await walletRecipient(user.as, user.wallet_id);
  expect(codeOf(await user.withdraw('5', { recipient_id: own }))).toEqual([400, 'SAME_WALLET']);
  const { person, wallet_id } = await user.otherWallet();
  const recipient_id = await walletRecipient(user.as, wallet_id);
  const execute_at = new Date(h.clock.ms() + 60_000).toISOString();
  const [, { data: later }] = await user.withdraw('5', { recipient_id, execute_at });
  await h.db
    .updateTable('users')
    .set({ user_status: 'INACTIVE' })
    .where('user_id', '=', person.user_id)
    .execute();
  expect(codeOf(await user.withdraw('5', { recipient_id }))).toEqual([
    ...[409, 'RECIPIENT_UNAVAILABLE'],
  ]);
  await h.advance(61);
  await h.drain();
  const [, { data: list }] = await user.list();
  expect(list.items[0]).toMatchObject({
    withdrawal_id: later.withdrawal_id,
    status: 'FAILED',
    failure: { code: 'RECIPIENT_UNAVAILABLE', retryable: true },
  });
  expect(await user.balance()).toEqual({ balance: '100.00', held: '0.00' });
});

test('what an admin has prepared is paid by another person’s approval only', async () => {
  const { client_id, ada, ben, publish } = await clientWithPolicies(h);
  const user = await withdrawer(h, 'USD', 100_000n, await h.user({ client_id }));
  const { wallet_id, recipient_id } = user;
  const prepare = (as: Person, amount: string) =>
    h.call('POST /wallets/fiat/{wallet_id}/withdrawals', {
      as,
      params: { wallet_id },
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: { amount, recipient_id },
    }) as Promise<[number, Body]>;
  expect(codeOf(await prepare(ada, '20'))).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  expect(await user.balance()).toEqual({ balance: '1000.00', held: '0.00' });
  await publish({ applies_to: ['withdrawal'], then: { approve: { count: 1 } } });
  const [status, { data }] = await prepare(ada, '20');
  expect([status, data.status, data.user_id, data.requested_by]).toEqual([
    ...[201, 'PENDING_APPROVAL', user.as.user_id, ada.user_id],
  ]);
  const [, { data: list }] = await h.call('GET /approvals', { as: ben });
  const [waiting] = list.items;
  expect(waiting).toMatchObject({ made_by: ada.user_id });
  const approve = (as: Person) =>
    h.call('POST /approvals/{approval_id}/approve', {
      as,
      params: { approval_id: waiting.approval_id },
      body: { version: waiting.version, content_hash: waiting.content_hash },
    }) as Promise<[number, Body]>;
  expect(codeOf(await approve(ada))).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  expect(codeOf(await approve(ben))).toEqual([200, undefined]);
  await h.advance(61);
  await h.drain();
  expect((await user.read(data.withdrawal_id)).status).toBe('COMPLETED');
  const { client_id: elsewhere } = await h.client();
  const stranger = await h.user({ role: 'admin', client_id: elsewhere });
  expect(codeOf(await prepare(stranger, '20'))).toEqual([404, 'WALLET_NOT_FOUND']);
  expect(codeOf(await prepare(await h.user({ client_id }), '20'))).toEqual([
    ...[404, 'WALLET_NOT_FOUND'],
  ]);
});
