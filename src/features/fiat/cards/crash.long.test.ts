// Long: a process dies at every step.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { transact } from '#kernel/transact.ts';
import { cardNetwork, cardSettings } from '#providers/card-network/adapter.ts';
import type { CardNetwork } from '#providers/card-network/port.ts';
import { cardUser, EXPIRY, GOOD, houseBalance, networkBalance } from '#test/cards.ts';
import { harness, type Person } from '#test/harness.ts';
import { gate } from '#test/waiting.ts';
import { checkOut } from './checkout.ts';
import { pushToCard } from './push.ts';
import { refund } from './refund.ts';
import { cardFindByOperation } from './store.ts';
import { type CardDeps, createCardTransactions } from './transaction.ts';

/**
 * The promises of cards where a process dies in the middle of a charge: held money, calls to the network, the books.
 * The death is a call that never returns, which leaves the same behind; the crash matrix of the effects shows that
 * nothing more of a dead process is needed.
 */
const h = await harness({ mock: false });
await h.drain();

const networkUrl = `${h.app.sandboxUrl()}/card-network`;
const { fx } = h.app.providers;
const network = cardNetwork(cardSettings(h.kernel.config, () => networkUrl));
const deps = createCardTransactions({ ...h.kernel, fx, network });

const callerOf = ({ user_id, client_id }: Person) => ({
  key: null,
  user_id,
  client_id,
  role: 'user' as const,
  operator: false,
  session_id: randomUUID(),
});

interface Order {
  readonly kind: (typeof kinds)[number];
  readonly caller: ReturnType<typeof callerOf>;
  readonly operation: string;
  readonly body: {
    readonly amount: string;
    readonly currency_code: 'USD';
    readonly card_number: string;
    readonly expiry_date: string;
    readonly recipient_name: string;
    readonly reference_id: string;
  };
}

/** Begins it, and never lets it go on before the network receives it, or after it has answered. */
async function beginAndDie(order: Order, dies: 'stored' | 'answered'): Promise<void> {
  const there = gate();
  const caught = async <T>(call: () => Promise<T>): Promise<T> => {
    if (dies === 'stored') await there.pass();
    const outcome = await call();
    await there.pass();
    return outcome;
  };
  const hanging = {
    ...network,
    pull: (charge) => caught(() => network.pull(charge)),
    push: (push) => caught(() => network.push(push)),
    reverse: (reversal) => caught(() => network.reverse(reversal)),
  } satisfies CardNetwork;
  void move(createCardTransactions({ ...h.kernel, fx, network: hanging }), order);
  await there.reached;
}

const again = (order: Order) => move(deps, order);

function move(deps: CardDeps, { kind, caller, operation, body }: Order): Promise<unknown> {
  if (kind === 'top-up')
    return checkOut(deps, { caller, operation, currency: body.currency_code, body });
  if (kind === 'push') return pushToCard(deps, { caller, operation, body });
  return refund(deps, { caller, operation, body });
}

test('concurrent attempts at one operation charge the card once', async () => {
  const person = await h.user();
  const body = { amount: '40', card_number: GOOD, expiry_date: EXPIRY };
  const [caller, operation] = [callerOf(person), randomUUID()];
  const attempt = () => checkOut(deps, { caller, operation, currency: 'USD' as const, body });
  const ended = await Promise.allSettled(Array.from({ length: 8 }, attempt));
  expect(ended.some(({ status }) => status === 'fulfilled')).toBe(true);
  for (const result of ended) {
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  }
  expect(await attempt()).toMatchObject({ state: 'SETTLED' });
  expect(await cardUser(h, person).balance('USD')).toEqual([38_80n, 0n]);
  const begun = await transact(h.db, (tx) => cardFindByOperation(tx, operation));
  const effect = await h.kernel.effects.find(h.db, 'card', begun?.reference_id ?? '');
  expect(effect).toMatchObject({ state: 'SETTLED', calls: 1 });
  const settled = await houseBalance(h, 'card-settlement', 'USD');
  expect(await networkBalance(h, 'USD')).toBe(-settled);
});

/** The wallet's balance after the money moved, of the 97.00 it had before. */
const MOVED = { 'top-up': 97_00n + 38_80n, push: 97_00n - 40_00n, refund: 97_00n - 38_80n };

/** The held part of it meanwhile. */
const ASIDE = { 'top-up': 0n, push: 40_00n, refund: 38_80n };

const kinds = ['top-up', 'push', 'refund'] as const;
const places = ['stored', 'answered'] as const;
test.each(kinds.flatMap((kind) => places.map((dies) => [kind, dies] as const)))(
  'a %s whose process dies when it is %s ends once, with or without a repetition',
  async (kind, dies) => {
    const orderFor = async (): Promise<Order> => {
      const person = await h.user();
      const [, { data }] = await cardUser(h, person).topUp(100);
      const body = {
        amount: '40',
        currency_code: 'USD' as const,
        card_number: GOOD,
        expiry_date: EXPIRY,
        recipient_name: 'Ada Lovelace',
        reference_id: data.reference_id,
      };
      const caller = callerOf(person);
      return { kind, caller, operation: randomUUID(), body };
    };
    const [left, repeated] = [await orderFor(), await orderFor()];
    await Promise.all([beginAndDie(left, dies), beginAndDie(repeated, dies)]);

    const balance = (order: Order) => cardUser(h, order.caller as never).balance('USD');
    if (dies === 'stored') {
      // The network has not seen it, but it may still be on its way: neither charged nor given up.
      await expect(again(repeated)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
      expect(await balance(repeated)).toEqual([97_00n, ASIDE[kind]]);
    } else {
      await again(repeated);
      await again(repeated);
      expect(await balance(repeated)).toEqual([MOVED[kind], 0n]);
    }

    await h.advance(16 * 60);
    await h.drain();
    const moved = dies === 'stored' ? 97_00n : MOVED[kind];
    expect(await balance(left)).toEqual([moved, 0n]);
    expect(await balance(repeated)).toEqual([moved, 0n]);
    const state = await transact(h.db, (tx) => cardFindByOperation(tx, left.operation));
    expect(state?.state).toBe(dies === 'stored' ? undefined : 'SETTLED');
    expect((await verifyLedger(h.db)).broken).toEqual([]);
    const settled = await houseBalance(h, 'card-settlement', 'USD');
    expect(await networkBalance(h, 'USD')).toBe(-settled);
  },
);
