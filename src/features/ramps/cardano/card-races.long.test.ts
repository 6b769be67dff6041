// Long: what may meet meets at every step.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCardMoney } from '#features/fiat/cards/cards.ts';
import { createPayouts } from '#features/fiat/payouts/payouts.ts';
import { payoutAccountOf } from '#features/ramps/idr-token/idr-token.ts';
import { createAttempts } from '#kernel/access/attempts.ts';
import { run } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import { transact } from '#kernel/transact.ts';
import { sealCard } from '#providers/card-network/card.ts';
import type { CardNetwork } from '#providers/card-network/port.ts';
import { sandboxDoor } from '#sandbox/door.ts';
import { createProviders } from '#src/app/providers.ts';
import { expectEven, flowsOf, type RampUser, rampUser } from '#test/cardano-ramps.ts';
import { GOOD, houseBalance, networkBalance } from '#test/cards.ts';
import { harness } from '#test/harness.ts';
import { beginCardano, type CardanoOrderInput } from './begin.ts';
import { fromCard } from './execute.ts';
import { rampMachines } from './machine.ts';
import { cardanoBankFlow } from './payout.ts';
import { type CardanoOrder, cardanoFlowId } from './store.ts';

const h = await harness({ mock: false });
await h.drain();

/** The parts that the service is made of, for requests that end between two of their steps. */
const { kernel } = h;
const { providers } = h.app;
const attempts = createAttempts(kernel);
const pullsAt = (network: CardNetwork) =>
  createCardMoney({ ...kernel, attempts, fx: providers.fx, network }).pulls;
const pulls = pullsAt(providers.cards);
/** An address without a server, so that no call ever leaves. */
const nowhere = { ...kernel.config, CARD_NETWORK_URL: 'http://127.0.0.1:9' };
const places = { url: h.app.sandboxUrl, smtpUrl: () => '', mockMode: sandboxDoor.mockMode };
const away = pullsAt(createProviders({ ...kernel, config: nowhere }, places, h.app).cards);
const base = {
  ...kernel,
  fx: providers.fx,
  cardano: providers.cardano,
  cards: pulls,
  payoutAccountOf,
  payouts: createPayouts({ ...kernel, gateway: providers.gateway }),
};
const deps = { ...base, machines: rampMachines(base, cardanoBankFlow(base.sagas)) };

async function wishOf(user: RampUser): Promise<CardanoOrderInput> {
  const { user_id, client_id } = user.as;
  const to = { currency_to: 'SGD', wallet_to_id: await user.wallet('SGD') } as const;
  return {
    caller: { key: null, role: 'user', operator: false, session_id: '', user_id, client_id },
    request: { id: 'test', ip: '127.0.0.1', userAgent: '', headers: {}, raw: Buffer.alloc(0) },
    operation: randomUUID(),
    source: 'CARD',
    target: 'WALLET',
    body: { user_id, fiat_amount: '100', currency_from: 'USD', ...to },
  };
}

const ask = (wish: CardanoOrderInput) =>
  fromCard(deps, wish, { cardNumber: GOOD }).then(
    ({ status }) => status,
    (error: unknown) => (error instanceof AppError ? error.code : Promise.reject(error)),
  );

/** Nothing is set aside for ever, and the card network has taken what the ledger says it has. */
async function inOrder() {
  await expectEven(h);
  expect(await networkBalance(h, 'USD')).toBe(-(await houseBalance(h, 'card-settlement', 'USD')));
}

/** Asks once more while the flow's end waits for a lock on its order, which goes on when that is so. */
async function askedWhileGivenUp(
  wish: CardanoOrderInput,
  { order_id }: CardanoOrder,
  mode: 'for update' | 'for share',
  until = async () => {},
) {
  const begun = await transact(h.db, async (tx) => {
    await run(tx, `select from cardano_orders where order_id = $1 ${mode}`, [order_id]);
    await h.advance(21 * 60);
    const givenUp = h.drain();
    await expect.poll(() => run(h.db, WAITING, [])).toHaveLength(1);
    const asked = ask(wish);
    await until();
    return [givenUp, asked];
  });
  await Promise.all(begun);
}
const HOLDING = `select from pg_stat_activity where datname = current_database()
  and wait_event_type = 'Lock' and query like 'select order_id from cardano_orders%for share'`;
const WAITING = `select from pg_stat_activity where datname = current_database()
  and wait_event_type = 'Lock' and query like 'update "cardano_orders"%'`;

test('a refused pull is not repeated for a flow that knows the refusal', async () => {
  const user = await rampUser(h, undefined, '0');
  const wish = await wishOf(user);
  // Its request ends after the network has refused, and before the flow goes on from there.
  const { order, wallet } = await beginCardano(deps, wish);
  const pulled = away.pull({
    caller: wish.caller,
    request: wish.request,
    wallet,
    operation: order.order_id,
    flow: cardanoFlowId(order.order_id),
    money: { asset: 'USD', units: order.fiat_amount },
    card: sealCard({ number: GOOD }),
    permit: async () => undefined,
  });
  await expect(pulled).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  expect(await ask(wish)).toBe('PROVIDER_UNAVAILABLE');
  expect(await flowsOf(h, user)).toMatchObject([{ state: 'unpaid', status: 'FAILED' }]);
  await inOrder();
  expect(await ask(wish)).toBe('DONE');
  await inOrder();
});

test('no pull happens for an order that is being given up', async () => {
  const user = await rampUser(h, undefined, '0');
  const wish = await wishOf(user);
  const { order } = await beginCardano(deps, wish);
  // A later request would learn of the end, and begin another order.
  await askedWhileGivenUp(wish, order, 'for update', () =>
    expect.poll(() => run(h.db, HOLDING, [])).toHaveLength(1),
  );
  await h.drain();
  expect(await flowsOf(h, user)).toMatchObject([{ state: 'unpaid', status: 'FAILED' }]);
  expect(await user.balance('USD')).toEqual([0n, 0n]);
  await inOrder();
});

test('an order is not given up after a concurrent pull', async () => {
  const user = await rampUser(h, undefined, '0');
  const wish = await wishOf(user);
  const { order } = await beginCardano(deps, wish);
  const pulled = () => pulls.find(h.db, cardanoFlowId(order.order_id));
  await askedWhileGivenUp(wish, order, 'for share', () =>
    expect.poll(pulled).toMatchObject({ state: 'PENDING' }),
  );
  for (const minutes of [1, 2, 4, 16]) {
    await h.advance(minutes * 60);
    await h.drain();
  }
  expect(await flowsOf(h, user)).toMatchObject([{ state: 'done', status: 'DONE' }]);
  expect(await user.balance('SGD')).toEqual([13_256n, 0n]);
  await inOrder();
});
