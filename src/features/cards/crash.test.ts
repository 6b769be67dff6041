import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { transact } from '#kernel/db/transact.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { cardNetwork, cardSettings } from '#providers/card-network/adapter.ts';
import { cardUser, EXPIRY, GOOD, houseBalance, networkBalance } from '#test/cards.ts';
import type { Orders } from '#test/cards-child.ts';
import { killWhereItHangs } from '#test/child.ts';
import { harness, type Person } from '#test/harness.ts';
import { checkOut } from './checkout.ts';
import { pushOut } from './push.ts';
import { refund } from './refund.ts';
import { findByOperation } from './store.ts';
import { createCardTransactions } from './transaction.ts';

const masterKey = `1:${randomBytes(32).toString('base64')}`;
const h = await harness({ mock: false, masterKey });
await h.drain();

const networkUrl = `${h.app.sandboxUrl()}/card-network`;
const network = cardNetwork(cardSettings(h.kernel.config, () => networkUrl));
const deps = createCardTransactions({ ...h.kernel, network });
const databaseUrl = h.kernel.pool.options.connectionString ?? '';

const callerOf = ({ user_id, client_id }: Person) => ({
  key: null,
  user_id,
  client_id,
  role: 'user' as const,
  operator: false,
  session_id: randomUUID(),
});

const beginAndKill = (orders: Orders) => killWhereItHangs('cards-child.ts', orders);

function again({ kind, caller, operation, body }: Orders): Promise<unknown> {
  if (kind === 'top-up')
    return checkOut(deps, { caller, operation, currency: body.currency_code, body });
  if (kind === 'push') return pushOut(deps, { caller, operation, body });
  return refund(deps, { caller, operation, body });
}

test('attempts at the same operation at once charge the card once', async () => {
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
  const begun = await transact(h.db, (tx) => findByOperation(tx, operation));
  const effect = await h.kernel.effects.find(h.db, 'card', begun?.reference_id ?? '');
  expect(effect).toMatchObject({ state: 'SETTLED', calls: 1 });
  const settled = await houseBalance(h, 'card-settlement', 'USD');
  expect(await networkBalance(h, 'USD')).toBe(-settled);
});

/** What the wallet has after the money moved, of the 97.00 it had before. */
const MOVED = { 'top-up': 97_00n + 38_80n, push: 97_00n - 40_00n, refund: 97_00n - 38_80n };

/** What is set aside of it meanwhile. */
const ASIDE = { 'top-up': 0n, push: 40_00n, refund: 38_80n };

const kinds = ['top-up', 'push', 'refund'] as const;
const places = ['stored', 'answered', 'booked'] as const;
test.each(kinds.flatMap((kind) => places.map((hangs) => [kind, hangs] as const)))(
  'a %s whose process is killed when it is %s ends once, with or without a repetition',
  async (kind, hangs) => {
    const ordersFor = async (): Promise<Orders> => {
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
      const { offsetMs: aheadMs } = h.clock;
      return {
        databaseUrl,
        masterKey,
        networkUrl,
        aheadMs,
        kind,
        hangs,
        caller,
        operation: randomUUID(),
        body,
      };
    };
    const [left, repeated] = [await ordersFor(), await ordersFor()];
    await Promise.all([beginAndKill(left), beginAndKill(repeated)]);

    const balance = (orders: Orders) => cardUser(h, orders.caller as never).balance('USD');
    if (hangs === 'stored') {
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
    const moved = hangs === 'stored' ? 97_00n : MOVED[kind];
    expect(await balance(left)).toEqual([moved, 0n]);
    expect(await balance(repeated)).toEqual([moved, 0n]);
    const state = await transact(h.db, (tx) => findByOperation(tx, left.operation));
    expect(state?.state).toBe(hangs === 'stored' ? undefined : 'SETTLED');
    expect((await verifyLedger(h.db)).broken).toEqual([]);
    const settled = await houseBalance(h, 'card-settlement', 'USD');
    expect(await networkBalance(h, 'USD')).toBe(-settled);
  },
);
