import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { type CardHolder, cardUuid, issuedCards, processorProof } from '#test/issued-cards.ts';
import { type Answer, isSignedBy, type Receiver, receiver, refuse } from '#test/webhooks.ts';

const h = await harness();
const { cardHolder, play, playQuietly, paid, balance, sums } = issuedCards(h);

interface Asked {
  readonly ada: Person;
  readonly siti: CardHolder;
  readonly hook: Receiver;
  readonly secret: string;
}

const put = (as: Person, body: object) =>
  h.call('PUT /cards/decision-webhook', {
    as,
    body: { timeout_ms: 1000, fallback: { decline: true }, ...body },
  });

/** A client whose system is asked, and a holder of one of its cards. */
async function client(answer: Answer, fields: object = {}): Promise<Asked> {
  const hook = await receiver(answer);
  const { client_id } = await h.client();
  const ada = await h.user({ role: 'admin', client_id });
  const [, { data }] = await put(ada, { url: hook.url, ...fields });
  const siti = await cardHolder('100.00', {}, { client_id });
  return { ada, siti, hook, secret: data.secret };
}

const say =
  (body: unknown, status = 200): Answer =>
  (_arrival, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const hang: Answer = () => undefined;
const APPROVE = { decision: 'approve' };

async function lastDecision(siti: CardHolder): Promise<Body> {
  const [row] = await run<{ decision_id: string }>(
    h.db,
    `select * from card_decisions where card_id = $1 order by serial desc limit 1`,
    [cardUuid(siti.card_id)],
  );
  return row;
}

test('the client is asked what the rules allow, signed, and its yes is the yes', async () => {
  const { siti, hook, secret } = await client(say(APPROVE));
  const { status } = await play(siti, 'authorize', { amount: 12.5 });
  expect([status, await balance(siti)]).toEqual([200, '100.00 12.50']);
  const [payment] = await paid(siti);
  const [arrival] = hook.arrivals;
  if (!arrival) throw new Error('Nothing arrived');
  expect(isSignedBy(arrival, secret)).toBe(true);
  expect(arrival.body).toMatchObject({
    type: 'card_decision.requested',
    data: {
      card_id: siti.card_id,
      transaction_id: payment.transaction_id,
      amount: '12.50',
      currency: 'USD',
      kind: 'authorization',
      partial_allowed: false,
      merchant: { name: 'Toko Kopi', mcc: '5814' },
    },
  });
  expect(arrival.headers['webhook-id']).toBe(arrival.body.data.decision_id);
  const params = { transaction_id: payment.transaction_id };
  const decisions = 'GET /cards/transactions/{transaction_id}/decisions';
  const [, { data }] = await h.call(decisions, { as: siti, params });
  expect(data.items).toMatchObject([
    { status: 'RESPONDED', decision: 'approve', decided_by: 'client', client_answer: 'approve' },
  ]);
});

test('its no is a no, with its reason, and holds nothing', async () => {
  const { siti } = await client(say({ decision: 'decline', reason: 'The trip\u0000 is over' }));
  expect((await play(siti, 'authorize', { amount: 5 })).status).toBe(402);
  expect((await paid(siti))[0].failure.code).toBe('client_declined');
  expect(await lastDecision(siti)).toMatchObject({
    decided_by: 'client',
    client_answer: 'decline',
    client_reason: 'The trip  is over',
  });
  expect(await balance(siti)).toBe('100.00 0.00');
});

test('what the rules decline is not asked, nor a check or a balance', async () => {
  const { siti, hook } = await client(say(APPROVE));
  expect((await play(siti, 'authorize', { amount: 100.01 })).status).toBe(402);
  expect((await play(siti, 'authorize', { amount: 1, wrong_code: true })).status).toBe(402);
  await play(siti, 'verify');
  await play(siti, 'balance');
  expect(hook.arrivals).toEqual([]);
});

test('a smaller amount counts where the shop takes a part, and nowhere else', async () => {
  const { siti, hook } = await client(say({ decision: 'approve', amount: '7.50' }));
  const part = await play(siti, 'authorize', { amount: 20, partial: true });
  expect([part.status, part.answer.jit_funding.amount]).toEqual([200, 7.5]);
  expect(await balance(siti)).toBe('100.00 7.50');
  expect((await play(siti, 'authorize', { amount: 20 })).status).toBe(402);
  expect((await lastDecision(siti)).client_answer).toBe('broken');
  hook.answer = say({ decision: 'approve', amount: 30 });
  expect((await play(siti, 'authorize', { amount: 20, partial: true })).status).toBe(402);
  hook.answer = say({ decision: 'approve', amount: 20 });
  expect((await play(siti, 'authorize', { amount: 20 })).status).toBe(200);
});

test('the rules are asked again after the client: a card frozen meanwhile pays nothing', async () => {
  const { siti, hook } = await client(say(APPROVE));
  hook.answer = async (arrival, response) => {
    const params = { card_id: siti.card_id };
    await h.call('POST /cards/{card_id}/freeze', { as: siti, params, body: {} });
    say(APPROVE)(arrival, response);
  };
  expect((await play(siti, 'authorize', { amount: 5 })).status).toBe(402);
  expect((await paid(siti))[0].failure.code).toBe('card_frozen');
  expect(await balance(siti)).toBe('100.00 0.00');
});

test.each([
  ['broken', refuse()],
  ['broken', say('yes')],
  ['broken', say({ decision: 'perhaps' })],
  ['broken', say({ decision: 'approve', amount: '1e3' })],
  ['broken', say({ decision: 'approve', padding: 'x'.repeat(10_000) })],
  ['late', hang],
] as [string, Answer][])('without an answer (%s) the fallback decides', async (what, answer) => {
  const amount = { amount: '10.00', currency: 'USD' };
  const { siti } = await client(answer, { timeout_ms: 200, fallback: { approve_within: amount } });
  expect((await play(siti, 'authorize', { amount: 10 })).status).toBe(200);
  expect(await lastDecision(siti)).toMatchObject({ client_answer: what, decided_by: 'rules' });
  expect((await play(siti, 'authorize', { amount: 10.01 })).status).toBe(402);
  expect((await paid(siti))[0].failure.code).toBe('client_timed_out');
  expect(await lastDecision(siti)).toMatchObject({ client_answer: what, decided_by: 'client' });
  expect(await balance(siti)).toBe('100.00 10.00');
});

test('the same question at the same time is asked once, and gets the same answer', async () => {
  const { siti, hook } = await client(say(APPROVE));
  const { transaction } = await playQuietly(siti, 'authorize', { amount: 1 });
  const again = { ...transaction, token: randomUUID(), network_reference_id: '4711' };
  const ask = () =>
    h.call('POST /cards/processor/authorizations', {
      as: 'nobody',
      headers: processorProof(),
      body: JSON.stringify({ ...again, state: 'PENDING' }),
    });
  const answers = await Promise.all(Array.from({ length: 6 }, ask));
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(hook.arrivals).toHaveLength(2);
  expect(await balance(siti)).toBe('100.00 2.00');
});

test('a client that hangs uses up its own share, and others are answered meanwhile', async () => {
  const slow = await client(hang);
  const quick = await client(say(APPROVE));
  const waiting = playQuietly(slow.siti, 'authorize', { amount: 1 });
  await slow.hook.arrived(1);
  const { ceilings } = h.kernel.shares;
  const one = `client:${slow.siti.client_id}`;
  const left: (() => void)[] = [];
  for (;;) {
    const place = ceilings.decisions.take({ one, client: one, isApproved: true });
    if (typeof place !== 'function') break;
    left.push(place);
  }
  const busy = await playQuietly(slow.siti, 'authorize', { amount: 2 });
  expect([busy.status, (await lastDecision(slow.siti)).client_answer]).toEqual([402, 'busy']);
  expect((await playQuietly(quick.siti, 'authorize', { amount: 1 })).status).toBe(200);
  for (const leave of left) leave();
  expect((await waiting).status).toBe(402);
  expect(ceilings.decisions.held()).toBe(0);
});

test('a question of a process that has died is a no', async () => {
  const { siti } = await client(say(APPROVE));
  await play(siti, 'authorize', { amount: 1 });
  await run(
    h.db,
    `insert into card_decisions (decision_id, card_id, client_id, user_id, type, network_reference, kind, sequence,
       transaction_token, status, asked, amount, currency, received_at, timeout_at)
     select $2::uuid, card_id, client_id, user_id, type, network_reference, kind, 'dead', transaction_token, 'PENDING', asked, 0,
       currency, received_at, timeout_at from card_decisions where card_id = $1`,
    [cardUuid(siti.card_id), randomUUID()],
  );
  await h.advance(180);
  await h.drain();
  expect(await lastDecision(siti)).toMatchObject({
    status: 'TIMED_OUT',
    decision: 'decline',
    reason: 'decision_timed_out',
  });
});

test('the webhook is its client’s alone, and tells its secret once', async () => {
  const { ada, secret, siti } = await client(say(APPROVE));
  expect(secret).toMatch(/^whsec_/);
  const [, shown] = await h.call('GET /cards/decision-webhook', { as: ada });
  expect(shown.data).toMatchObject({ timeout_ms: 1000, fallback: { decline: true }, version: 1 });
  expect(JSON.stringify(shown)).not.toContain('whsec_');
  const url = shown.data.url;
  expect((await put(ada, { url, version: 7 }))[0]).toBe(409);
  const changed = await put(ada, { url, version: 1, timeout_ms: 300 });
  expect([changed[0], changed[1].data.secret, changed[1].data.version]).toEqual([200, null, 2]);
  const rotated = await put(ada, { url, rotate_secret: true });
  expect(rotated[1].data.secret).toMatch(/^whsec_/);
  expect(rotated[1].data.secret).not.toBe(secret);
  const stranger = await h.user({ role: 'admin', client_id: (await h.client()).client_id });
  expect((await h.call('GET /cards/decision-webhook', { as: stranger }))[0]).toBe(404);
  expect((await h.call('GET /cards/decision-webhook', { as: siti }))[0]).toBe(403);
  expect((await h.call('DELETE /cards/decision-webhook', { as: stranger }))[0]).toBe(404);
  expect((await h.call('DELETE /cards/decision-webhook', { as: ada }))[0]).toBe(200);
  expect((await play(siti, 'authorize', { amount: 1 })).status).toBe(200);
  expect((await lastDecision(siti)).client_answer).toBe(null);
  expect(await sums()).toEqual([]);
});

test.each([
  { timeout_ms: 199 },
  { timeout_ms: 1001 },
  { fallback: {} },
  { fallback: { decline: true, approve_within: { amount: '1', currency: 'USD' } } },
  { fallback: { approve_within: { amount: '0', currency: 'USD' } } },
  { url: 'ftp://example.com' },
  { other: 1 },
])('%j is refused', async (body) => {
  const ada = await h.user({ role: 'admin' });
  expect((await put(ada, { url: 'http://127.0.0.1:9/x', ...body }))[0]).toBe(400);
});
