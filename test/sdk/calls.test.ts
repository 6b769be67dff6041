import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Archipay } from '#sdk/archipay.ts';
import { type ArchipayError, ConflictError, NotFoundError, ValidationError } from '#sdk/errors.ts';
import { money } from '#sdk/money.ts';
import { fileStore } from '#sdk/node.ts';
import { harness } from '../harness.ts';

const h = await harness();
const card = {
  card_number: '4111111111111111',
  expiry_date: '1232',
  currency_code: 'USD',
} as const;

type Fetch = typeof globalThis.fetch;

/** A client in the name of a new person with a wallet. */
async function person(fetched?: Fetch, maxRetries = 2) {
  const who = await h.user();
  const options = { apiKey: h.key, baseUrl: h.app.apiUrl(), maxRetries };
  const archipay = new Archipay({ ...options, ...(fetched && { fetch: fetched }) }).as(who.token);
  const { data } = await archipay.fiatWallets.open({ currency: 'USD' });
  return { archipay, wallet_id: data.wallet_id };
}

const caught = (promise: PromiseLike<unknown>): Promise<ArchipayError> =>
  Promise.resolve(promise).then(
    () => expect.fail('It was taken'),
    (error) => error,
  );

/** A network that loses the answers of these tries of changing calls, after the service has done them. */
function losing(lost: (nth: number) => boolean): Fetch {
  let nth = 0;
  return async (input, init) => {
    const reply = await fetch(input, init);
    if (init?.method !== 'POST' || String(input).includes('/wallets/')) return reply;
    nth += 1;
    if (!lost(nth)) return reply;
    await reply.arrayBuffer();
    throw new TypeError('fetch failed');
  };
}

const statementOf = async (archipay: Archipay, wallet_id: number) =>
  archipay.fiatWallets.listTransactions({ wallet_id }).toArray({ limit: 100 });

test('the main job: a wallet is topped up from a card, and its statement says so', async () => {
  const { archipay, wallet_id } = await person();
  const amount = money('60.00', 'USD').add(money('40', 'USD')).toString();
  const paid = await archipay.cards.topUp({ ...card, amount }).withResponse();
  expect(paid.data.data.reference_id).toMatch(/^TOPUP-/);
  expect([paid.requestId, paid.idempotencyKey]).toEqual([expect.any(String), expect.any(String)]);
  const lines = await statementOf(archipay, wallet_id);
  expect(lines.map(({ balance_after }) => balance_after)).toEqual(['97.00']);
});

test('a list is read to its end, page by page', async () => {
  const { archipay, wallet_id } = await person();
  for (let nth = 0; nth < 5; nth += 1) await archipay.cards.topUp({ ...card, amount: '10' });
  const sizes: number[] = [];
  const pages = archipay.fiatWallets.listTransactions({ wallet_id, limit: 2 }).byPage();
  for await (const page of pages) sizes.push(page.items.length);
  expect(sizes).toEqual([2, 2, 1]);
  const references = new Set<unknown>();
  for await (const line of archipay.payments.list({ limit: 2 })) references.add(line.payment_id);
  expect(references.size).toBe(5);
  const admin = archipay.as((await h.operator()).token);
  const names: string[] = [];
  for await (const { username } of admin.users.list({ limit: 1 })) names.push(username);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(2);
});

test('a call whose answers get lost is repeated under its key, and is done once', async () => {
  const { archipay, wallet_id } = await person(losing((nth) => nth <= 2));
  const answered = await archipay.cards.topUp({ ...card, amount: '10' }).withResponse();
  expect(answered.replayed).toBe(true);
  expect(await statementOf(archipay, wallet_id)).toHaveLength(1);
});

test('where every answer is lost the outcome is unknown, and resolve finds it', async () => {
  const { archipay, wallet_id } = await person(losing((nth) => nth <= 3));
  const error = await caught(archipay.cards.topUp({ ...card, amount: '10' }));
  expect([error.outcome, error.code, error.status]).toEqual(['unknown', 'NO_ANSWER', 0]);
  await expect(error.resolve()).resolves.toMatchObject({ message: 'Card checkout successful' });
  expect(await statementOf(archipay, wallet_id)).toHaveLength(1);
});

test('a refusal says that nothing was done, by its class, code and words', async () => {
  const { archipay } = await person();
  const declined = await caught(
    archipay.cards.topUp({ ...card, card_number: '4000000000000002', amount: '10' }),
  );
  expect(declined).toBeInstanceOf(ValidationError);
  expect(declined).toMatchObject({ code: 'CARD_DECLINED', status: 400, outcome: 'refused' });
  expect(declined.hint).toBeTruthy();
  expect(declined.docUrl).toMatch(/CARD_DECLINED$/);
  await expect(declined.resolve()).rejects.toBe(declined);
  expect(
    await caught(archipay.events.get({ event_id: 'evt_01KAMCSW5F6N1DM3V8Q2ZT7XYB' })),
  ).toBeInstanceOf(NotFoundError);
  await expect(archipay.events.get({ event_id: '' })).rejects.toThrow('needs event_id');
});

test('a dry run answers what would be done, and does nothing', async () => {
  const { archipay, wallet_id } = await person();
  const shown = await archipay.cards.topUp({ ...card, amount: '100' }, { dryRun: true });
  expect(shown.dry_run).toBe(true);
  expect(shown.would.fees.map(({ amount }) => amount)).toEqual(['3.00']);
  expect(await statementOf(archipay, wallet_id)).toEqual([]);
});

test('a call ends with the signal of its caller, or with its time', async () => {
  const never: Fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const archipay = new Archipay({ apiKey: h.key, fetch: never, maxRetries: 0 });
  const late = await caught(archipay.cards.topUp({ ...card, amount: '1' }, { timeout: 5 }));
  expect([late.name, late.outcome]).toEqual(['TimeoutError', 'unknown']);
  const ended = AbortSignal.abort();
  const aborted = await caught(archipay.cards.topUp({ ...card, amount: '1' }, { signal: ended }));
  expect([aborted.name, aborted.outcome]).toEqual(['AbortedError', 'refused']);
});

test('the wait that the service asks for is kept, and a refusal is not repeated', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  let sent = 0;
  const answers = [
    Response.json(
      {},
      { status: 429, headers: { 'retry-after-ms': '30', 'x-should-retry': 'true' } },
    ),
    Response.json({ ok: true }),
    Response.json({ error: 'no' }, { status: 503, headers: { 'x-should-retry': 'false' } }),
  ];
  const archipay = new Archipay({
    apiKey: 'ak',
    fetch: async () => {
      sent += 1;
      return answers.shift() ?? Response.error();
    },
  });
  await archipay.users.listCountries();
  expect(timers.mock.calls.some(([, ms]) => ms === 30)).toBe(true);
  await caught(archipay.users.listCountries());
  expect(sent).toBe(3);
});

test('a program that ends in the middle of a call finishes it in its next run, once', async () => {
  const path = join(h.dataDir, randomUUID(), 'calls.jsonl');
  const who = await h.user();
  const options = { apiKey: h.key, baseUrl: h.app.apiUrl(), maxRetries: 0 };
  const first = await fileStore(path);
  const before = new Archipay({ ...options, exactlyOnce: first, fetch: losing(() => true) }).as(
    who.token,
  );
  const { data } = await before.fiatWallets.open({ currency: 'USD' });
  const call = { ...card, amount: '10' };
  const own = { idempotencyKey: 'order-1' };
  await caught(before.cards.topUp(call, own));
  await first.end();

  const store = await fileStore(path);
  const after = new Archipay({ ...options, exactlyOnce: store }).as(who.token);
  const stale: string[] = [];
  await after.recover({ onStale: ({ key, params }) => stale.push(`${key} ${params}`) });
  // Card numbers are not stored, so its owner repeats it.
  expect(stale).toEqual(['order-1 null']);
  const answer = await after.cards.topUp(call, own);
  expect(await after.cards.topUp(call, own)).toEqual(answer);
  expect(await store.open()).toEqual([]);
  expect(await statementOf(after, data.wallet_id)).toHaveLength(1);
  const other = after.cards.push({ ...card, amount: '10' } as never, own);
  expect(await caught(other)).toBeInstanceOf(ConflictError);
  await store.end();
});

test('the same program with plain requests pays twice', async () => {
  const { archipay, wallet_id } = await person();
  const plain = losing((nth) => nth === 1);
  const { token } = await h.user();
  const pay = () =>
    plain(`${h.app.apiUrl()}/card-checkout/card`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': h.key,
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ ...card, amount: '10' }),
    });
  expect(await statementOf(archipay, wallet_id)).toEqual([]);
  const mine = archipay.as(token);
  const { data } = await mine.fiatWallets.open({ currency: 'USD' });
  await pay().catch(pay);
  expect(await statementOf(mine, data.wallet_id)).toHaveLength(2);
});

test('amounts stay exact, and currencies apart', () => {
  const three = money('10.00', 'USD').allocate([1, 1, 1]);
  expect(three.map(String)).toEqual(['3.34', '3.33', '3.33']);
  expect(String(money('-0.05', 'USD').subtract(money('1', 'USD')))).toBe('-1.05');
  expect(money('1.0', 'USD').compare(money('1', 'USD'))).toBe(0);
  expect(() => money('1', 'USD').add(money('1', 'EUR'))).toThrow('different money');
  expect(() => money('1e3', 'USD')).toThrow('no amount');
});
