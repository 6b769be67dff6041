import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPayouts } from '#features/fiat/payouts/payouts.ts';
import { payoutAccountOf } from '#features/ramps/idr-token/idr-token.ts';
import { run } from '#kernel/db/db.ts';
import type { AnyEffect } from '#kernel/effects/effect.ts';
import { refused } from '#kernel/effects/outcome.ts';
import { ELSEWHERE } from '#test/cardano.ts';
import { expectEven, flowsOf, rampUser } from '#test/cardano-ramps.ts';
import { harness } from '#test/harness.ts';
import { beginCardano, type CardanoOrderInput } from './begin.ts';
import { rampMachines } from './machine.ts';
import { cardanoBankFlow } from './payout.ts';
import { cardanoFlowId } from './store.ts';

/** Attempts at one mint with different answers: the treasury is empty for one and not for the next. */
const h = await harness({ mock: false });
await h.drain();
const { kernel } = h;
const { cardano, fx, gateway } = h.app.providers;
const base = {
  ...kernel,
  fx,
  cardano,
  payoutAccountOf,
  payouts: createPayouts({ ...kernel, gateway }),
  cards: { pull: never, giveBack: never, find: never },
};
const deps = { ...base, machines: rampMachines(base, cardanoBankFlow(base.sagas)) };

function never(): never {
  throw new Error('There is no card');
}

const empty = refused('TREASURY_EMPTY', 'The treasury cannot pay for it');

/** A stored order, with the effect that mints it. */
async function begun() {
  const user = await rampUser(h);
  const { user_id, client_id } = user.as;
  const wish: CardanoOrderInput = {
    caller: { key: null, role: 'user', operator: false, session_id: '', user_id, client_id },
    request: { id: 'test', ip: '127.0.0.1', userAgent: '', headers: {}, raw: Buffer.alloc(0) },
    operation: randomUUID(),
    source: 'WALLET',
    target: 'ADDRESS',
    body: {
      user_id,
      fiat_amount: '100',
      currency_from: 'USD',
      user_wallet_address: ELSEWHERE,
      wallet_from_id: await user.wallet('USD'),
    },
  };
  const { order } = await beginCardano(deps, wish);
  const saga = await kernel.sagas.find(h.db, cardanoFlowId(order.order_id));
  const mint = kernel.effects.kinds().find(({ kind }) => kind === 'saga.cardano-wallet.mint');
  if (!mint || !saga) throw new Error('There is no such flow');
  const drive = (as: AnyEffect) => kernel.effects.drive(as, `${saga.id}:${saga.version}`);
  return { user, order, saga, mint, drive };
}

test('a signed mint is not given up after the refusal of another attempt', async () => {
  const { user, mint, drive } = await begun();
  const late: AnyEffect = {
    ...mint,
    async call(row, attempt) {
      await mint.call(row, attempt);
      return empty;
    },
  };
  expect(await drive(late)).toMatchObject({ state: 'open' });
  expect(await user.balance('USD')).toEqual([10_000n, 10_000n]);
  expect(await drive(mint)).toMatchObject({ state: 'settled' });
  expect(await flowsOf(h, user)).toMatchObject([{ state: 'done', status: 'DONE' }]);
  expect(await user.balance('USD')).toEqual([0n, 0n]);
  await expectEven(h);
});

test('an attempt signs nothing for an order that was given up meanwhile', async () => {
  const { user, order, mint, drive } = await begun();
  const slow: AnyEffect = {
    ...mint,
    async call(row, attempt) {
      const other = { ...mint, call: async () => empty };
      expect(await drive(other)).toMatchObject({ state: 'refused' });
      return mint.call(row, attempt);
    },
  };
  expect(await drive(slow)).toMatchObject({ state: 'refused' });
  expect(await flowsOf(h, user)).toMatchObject([{ state: 'unminted', status: 'FAILED' }]);
  expect(await user.balance('USD')).toEqual([10_000n, 0n]);
  const signed = await run(h.db, 'select from cardano_transactions where reference = $1', [
    `mint-${order.order_id}`,
  ]);
  expect(signed).toEqual([]);
  await expectEven(h);
});
