import { expect, test } from 'vitest';
import { ADDRESSES } from './addresses.ts';
import { BODIES } from './bodies.ts';
import { CREDENTIALS } from './credentials.ts';
import { PAYMENTS } from './payments.ts';
import { CARD, type Mistake, makeWorld, saidBy } from './world.ts';

/** Mistakes of newcomers, and answers that name the error, its place and the remedy. */
const { h, world, send } = await makeWorld();
const MISTAKES: readonly Mistake[] = [...CREDENTIALS, ...ADDRESSES, ...BODIES, ...PAYMENTS];

test('there are at least fifty mistakes, each once', () => {
  expect(new Set(MISTAKES.map(({ name }) => name)).size).toBe(MISTAKES.length);
  expect(MISTAKES.length).toBeGreaterThanOrEqual(50);
});

test.each(MISTAKES.map((one) => [one.name, one] as const))(
  '%s is answered with what is wrong and what to do',
  async (_name, { ask, answer }) => {
    const reply = await send(ask(world));
    const { error, body } = reply;
    expect([reply.status, error.code ?? error.error_code]).toEqual([answer.status, answer.code]);
    expect(saidBy(reply)).toMatch(answer.says);
    expect(error.hint).toMatch(answer.hint);
    if (answer.field !== undefined)
      expect(error.details.map(({ field }: { field: string }) => field)).toContain(answer.field);
    expect(error.doc_url).toBe(`${h.kernel.publicUrl()}/docs/errors/${answer.code}`);
    expect(body.request_id).toBe(reply.headers.get('x-request-id'));
  },
);

test('an endpoint drops an unknown field, and the answer names it', async () => {
  const request = { at: 'POST /api/wallets/fiat', body: { currency: 'USD', userid: 1, note: 'x' } };
  const { status, headers } = await send(request as Parameters<typeof send>[0]);
  expect([status, headers.get('x-ignored-fields')]).toEqual([200, 'userid, note']);
  const right = await send({ at: 'POST /api/wallets/fiat', body: { currency: 'USD' } });
  expect(right.headers.get('x-ignored-fields')).toBeNull();
  const odd = { currency: 'USD', 'a\r\nset-cookie: x': 1, ['n'.repeat(5000)]: 1 };
  const refused = await send({ at: 'POST /api/wallets/fiat', body: odd });
  expect([refused.status, refused.headers.get('x-ignored-fields')]).toEqual([200, null]);
});

test('a card number may be typed as it is printed', async () => {
  for (const card_number of ['4111 1111 1111 1111', '4111111111111111']) {
    const body = { ...CARD, card_number };
    const { status, body: paid } = await send({ at: 'POST /api/card-checkout/card', body });
    expect([status, paid.data.card_last4]).toEqual([200, '1111']);
  }
});
