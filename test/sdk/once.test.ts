import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Archipay } from '#sdk/archipay.ts';
import { type ArchipayError, ConflictError } from '#sdk/errors.ts';
import { fileStore } from '#sdk/node.ts';
import { banking, type Holder } from '../banking.ts';
import { harness } from '../harness.ts';

const h = await harness();
const bank = banking(h);
const { client_id } = await h.client();
const newStore = () => fileStore(join(h.dataDir, randomUUID(), 'calls.jsonl'));
type FileStore = Awaited<ReturnType<typeof newStore>>;

/** The answers that are lost, of changing calls. */
const losing =
  (isLost: (nth: number) => boolean): typeof fetch =>
  async (input, init) => {
    const reply = await fetch(input, init);
    if (init?.method !== 'POST') return reply;
    losses += 1;
    if (!isLost(losses)) return reply;
    await reply.arrayBuffer();
    throw new TypeError('fetch failed');
  };
let losses = 0;

function clientOf(store: FileStore, given: { apiKey?: string; fetch?: typeof fetch } = {}) {
  losses = 0;
  const options = { apiKey: h.key, baseUrl: h.app.apiUrl(), maxRetries: 0 };
  return new Archipay({ ...options, ...given, exactlyOnce: store });
}
const transferOf = (from: Holder, to: Holder) => ({
  from_wallet_id: from.wallet_id,
  to: { wallet_id: to.wallet_id },
  amount: '1.00',
});
const caught = (promise: PromiseLike<unknown>): Promise<ArchipayError> =>
  Promise.resolve(promise).then(
    () => expect.fail('It was taken'),
    (error) => error,
  );
const two = async () => [await bank.holder(client_id, '50'), await bank.holder(client_id)] as const;

test('an outcome that resolve finds out closes the call in the store', async () => {
  const [from, to] = await two();
  const store = await newStore();
  const archipay = clientOf(store, { fetch: losing((nth) => nth === 1) }).as(from.token);
  const own = { idempotencyKey: 'order-1' };
  const error = await caught(archipay.walletTransfers.send(transferOf(from, to), own));
  expect([error.outcome, (await store.open()).length]).toEqual(['unknown', 1]);
  const answer = await error.resolve();
  expect(await store.open()).toEqual([]);
  expect(await archipay.walletTransfers.send(transferOf(from, to), own)).toEqual(answer);
  expect(await bank.balance(to)).toBe('1.00 0.00');
  await store.end();
});

test('a refusal to begin proves nothing of the tries before it', async () => {
  const [from, to] = await two();
  const store = await newStore();
  const forbidden = () =>
    Response.json(
      { error: { code: 'FORBIDDEN', message: 'No' } },
      {
        status: 403,
        headers: { 'x-should-retry': 'false', 'x-archipay-outcome': 'not-begun' },
      },
    );
  let isForbidden = false;
  const archipay = clientOf(store, {
    fetch: (input, init) =>
      isForbidden ? Promise.resolve(forbidden()) : losing(() => true)(input, init),
  }).as(from.token);
  const own = { idempotencyKey: 'order-2' };
  const error = await caught(archipay.walletTransfers.send(transferOf(from, to), own));
  isForbidden = true;
  const stillOpen = await caught(error.resolve());
  expect([stillOpen.code, stillOpen.outcome]).toEqual(['FORBIDDEN', 'unknown']);
  const again = await caught(archipay.walletTransfers.send(transferOf(from, to), own));
  expect([again.code, again.outcome]).toEqual(['FORBIDDEN', 'unknown']);
  const stale: string[] = [];
  expect(await archipay.recover({ onStale: ({ key }) => stale.push(key) })).toBe(0);
  expect(stale).toEqual(['order-2']);
  expect(await store.open()).toHaveLength(1);
  expect(await bank.balance(to)).toBe('1.00 0.00');
  await store.end();
});

test('a call is recovered in the name of its own person only', async () => {
  const [from, to] = await two();
  const other = await bank.holder(client_id, '50');
  const store = await newStore();
  const lossy = clientOf(store, { fetch: losing(() => true) });
  const own = { idempotencyKey: 'order-3' };
  await caught(lossy.as(from.token).walletTransfers.send(transferOf(from, to), own));
  const sound = clientOf(store);
  expect(await sound.as(other.token).recover()).toBe(0);
  const foreign = sound.as(other.token).walletTransfers.send(transferOf(other, to), own);
  expect(await caught(foreign)).toBeInstanceOf(ConflictError);
  // A later log-in of the same person is the same person.
  const { token } = await h.kernel.sessions.open(h.db, {
    user_id: from.user_id,
    method: 'password',
  });
  const resolved: unknown[] = [];
  await sound
    .as(token)
    .recover({ onResolved: (call, ending) => resolved.push([call.key, ending]) });
  expect(resolved).toMatchObject([['order-3', { status: 201 }]]);
  expect(await bank.balance(to)).toBe('1.00 0.00');
  await store.end();
});

test('under another API key, which would do it again, a call is not repeated', async () => {
  const [from, to] = await two();
  const store = await newStore();
  const lossy = clientOf(store, { fetch: losing(() => true) }).as(from.token);
  const own = { idempotencyKey: 'order-4' };
  await caught(lossy.walletTransfers.send(transferOf(from, to), own));
  const renewed = clientOf(store, { apiKey: await h.apiKey() }).as(from.token);
  const error = await caught(renewed.walletTransfers.send(transferOf(from, to), own));
  expect([error.code, error.outcome]).toEqual(['KEY_TOO_OLD', 'unknown']);
  const stale: string[] = [];
  await renewed.recover({ onStale: ({ key }) => stale.push(key) });
  expect(stale).toEqual(['order-4']);
  await clientOf(store).as(from.token).recover();
  // What has ended is answered without a request, whatever the key is.
  await renewed.walletTransfers.send(transferOf(from, to), own);
  expect(await bank.balance(to)).toBe('1.00 0.00');
  await store.end();
});
