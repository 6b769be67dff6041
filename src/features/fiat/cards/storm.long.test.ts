// Long: anything is done in any order, at once.

import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import {
  type CardUser,
  cardUser,
  DECLINED,
  GOOD,
  houseBalance,
  networkBalance,
  POOR,
  SILENT,
  spoil,
} from '#test/cards.ts';
import { type Body, harness } from '#test/harness.ts';

const h = await harness({ mock: false });
await h.drain();

const pick = <T>(from: readonly T[]): T => from[randomInt(from.length)] as T;
const amount = () => `${randomInt(1, 60)}.${String(randomInt(100)).padStart(2, '0')}`;

/** Tops up, pushes and refunds at random, now and then twice under one key. */
async function live(user: CardUser, steps: number, name: string): Promise<void> {
  const own: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    const key = `${name} ${step}`;
    const dice = randomInt(10);
    const ask = (): Promise<[number, Body]> => {
      if (dice < 5 || own.length === 0) return user.topUp(sum, card, 'USD', key);
      if (dice < 7) return user.push(sum, {}, key);
      return user.refund(original, sum, { card_number: GOOD }, key);
    };
    const [sum, card] = [amount(), pick([GOOD, GOOD, GOOD, SILENT, DECLINED, POOR])];
    const original = own.length > 0 ? pick(own) : '';
    const answers = await Promise.all(randomInt(3) === 0 ? [ask(), ask()] : [ask()]);
    for (const [status, body] of answers) {
      const code = `${status} ${JSON.stringify(body)}`;
      const known = [200, 400, 409, 503].includes(status) || body.code === 'ALREADY_REFUNDED';
      expect(known, code).toBe(true);
      if (body.data?.status === 'SUCCESS_RECEIVED') own.push(body.data.reference_id);
    }
  }
}

test('the books agree whatever users, the network and its faults do at once', async () => {
  const users = await Promise.all(
    Array.from({ length: 6 }, async () => cardUser(h, await h.user())),
  );
  // A client without approval may have few cards declined.
  await h.db.updateTable('clients').set({ client_status: 'ACTIVE' }).execute();
  const kinds = ['refuse', 'drop', 'commit-then-drop', 'error'];
  const spoiling = (async () => {
    for (let n = 0; n < 25; n += 1) await spoil(h, pick(kinds), randomInt(1, 3));
  })();
  await Promise.all([
    spoiling,
    // Two devices of each user at once.
    ...users.flatMap((user, i) => [live(user, 15, `${i} a`), live(user, 15, `${i} b`)]),
  ]);
  await h.sandbox('DELETE', '/faults');
  for (const minutes of [4, 16]) {
    await h.advance(minutes * 60);
    await h.drain();
  }

  const open = await h.db
    .selectFrom('card_transactions')
    .select(['reference_id', 'state'])
    .where('state', '=', 'PENDING')
    .execute();
  expect(open).toEqual([]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  const wallets = await Promise.all(users.map((user) => user.balance()));
  expect(wallets.map(([, held]) => held)).toEqual(users.map(() => 0n));
  const fees = await houseBalance(h, 'card-fees', 'USD');
  const network = await networkBalance(h, 'USD');
  expect(wallets.reduce((sum, [posted]) => sum + posted, fees)).toBe(network);
  expect(await houseBalance(h, 'card-settlement', 'USD')).toBe(-network);
});
