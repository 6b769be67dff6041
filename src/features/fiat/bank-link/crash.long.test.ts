import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import {
  armPlaid,
  type BankUser,
  bankUser,
  booksHold,
  linkedUser,
  plaidTransfersOf,
  settleAll,
} from '#test/bank-link.ts';
import type { Orders } from '#test/bank-link-child.ts';
import { bankParts, placeOf } from '#test/bank-link-parts.ts';
import { killWhereItHangs } from '#test/child.ts';
import { harness } from '#test/harness.ts';
import { findTopUp } from './top-up-store.ts';

const masterKey = `1:${randomBytes(32).toString('base64')}`;
const h = await harness({ mock: false, masterKey });
await h.drain();

const place = () => placeOf(h, masterKey);
const wishOf = ({ as, wallet_id }: BankUser) => ({
  caller: {
    key: null,
    user_id: as.user_id,
    client_id: as.client_id,
    role: 'user' as const,
    operator: false,
    session_id: randomUUID(),
  },
  operation: randomUUID(),
  wallet_id,
  amount: '40.00',
});

afterEach(async () => {
  expect(await booksHold(h)).toEqual([]);
});

const KINDS = ['delay', 'refuse', 'drop', 'commit-then-drop', 'error'] as const;
const CALLS = ['accounts', 'authorize', 'createTransfer'] as const;

test('a top-up comes once, whatever fault any of its calls has', async () => {
  let trap: readonly [call: string, kind: string] = ['', ''];
  const trapped = <A, R>(call: string, real: (request: A) => Promise<R>) => {
    return async (request: A): Promise<R> => {
      // The look-up right after gets lost as well.
      if (trap[0] === call) await armPlaid(h, trap[1], 2);
      return real(request);
    };
  };
  const parts = bankParts(place(), (real) => ({
    ...real,
    accounts: trapped('accounts', real.accounts),
    authorize: trapped('authorize', real.authorize),
    createTransfer: trapped('createTransfer', real.createTransfer),
  }));
  const begun: { what: string; who: BankUser; operation: string }[] = [];
  for (trap of CALLS.flatMap((call) => KINDS.map((kind) => [call, kind] as const))) {
    const [what, who] = [trap.join(' '), await linkedUser(h)];
    const wish = wishOf(who);
    expect((await parts.topUp(wish)).status, what).toBe('PENDING');
    await h.sandbox('DELETE', '/faults');
    begun.push({ what, who, operation: wish.operation });
  }
  await parts.close();
  await h.advance(61);
  await h.drain();
  for (const { what, operation } of begun)
    expect(await plaidTransfersOf(h, operation), what).toHaveLength(1);
  await settleAll(h);
  for (const { what, who } of begun) {
    expect(await who.balance(), what).toBe(40_00n);
    expect(await who.topUps(), what).toHaveLength(1);
  }
});

const PLACES = [
  ['authorize', 'before'],
  ['authorize', 'after'],
  ['createTransfer', 'before'],
  ['createTransfer', 'after'],
] as const;

test('a top-up comes once when its process is killed in a call, also if repeated', async () => {
  const people = await Promise.all(PLACES.map(() => linkedUser(h)));
  const orders = people.map(
    (who, i): Orders => ({ ...place(), ...wishOf(who), hangs: PLACES[i] ?? PLACES[0] }),
  );
  await Promise.all(orders.map((order) => killWhereItHangs('bank-link-child.ts', order)));
  const parts = bankParts(place(), (real) => real);
  for (const again of [orders[0], orders[3]])
    if (again) await Promise.all([parts.topUp(again), parts.topUp(again)]);
  await parts.close();
  await h.advance(61);
  await h.drain();
  for (const { operation, hangs } of orders)
    expect(await plaidTransfersOf(h, operation), hangs.join(' ')).toHaveLength(1);
  await settleAll(h);
  for (const who of people) expect(await who.balance()).toBe(40_00n);
});

const WHEN = ['before', 'after'] as const;

test('a link ends when its process is killed, and the user links again with a new token', async () => {
  for (const when of WHEN) {
    const ada = await bankUser(h, await h.user());
    const { public_token: publicToken } = await ada.publicToken();
    const orders: Orders = { ...place(), ...wishOf(ada), hangs: ['exchange', when], publicToken };
    await killWhereItHangs('bank-link-child.ts', orders);
    await h.advance(91);
    await h.drain();
    expect(await ada.connections(), when).toEqual([]);
    const [status] = await ada.exchange();
    expect([when, status]).toEqual([when, 200]);
    expect(await ada.connections(), when).toHaveLength(1);
    expect(await ada.logged(), when).toEqual(['BANK_LINK_CONNECT']);
  }
});

test('a removal whose process is killed finishes at the bank, and is logged once', async () => {
  for (const when of WHEN) {
    const ada = await linkedUser(h);
    const orders: Orders = { ...place(), ...wishOf(ada), hangs: ['removeItem', when] };
    await killWhereItHangs('bank-link-child.ts', orders);
    // The wallet has no bank account any longer, whatever the bank answers.
    expect((await ada.check())[1], when).toEqual({ connected: false });
    expect(await ada.connections(), when).toMatchObject([{ state: 'REMOVING' }]);
    await h.advance(91);
    await h.drain();
    expect(await ada.connections(), when).toMatchObject([{ state: 'REMOVED', sealed_token: null }]);
    const logged = await ada.logged();
    expect(logged.filter((action) => action === 'BANK_LINK_DISCONNECT')).toHaveLength(1);
  }
});

test('a transfer that settles before its answer arrives is booked when it does', async () => {
  const ada = await linkedUser(h);
  const wish = wishOf(ada);
  const parts = bankParts(place(), (real) => ({
    ...real,
    async createTransfer(request) {
      const made = await real.createTransfer(request);
      await settleAll(h);
      expect(await findTopUp(h.db, wish.operation)).toMatchObject({ transfer_id: null });
      return made;
    },
  }));
  await parts.topUp(wish);
  await parts.close();
  await h.drain();
  expect(await ada.balance()).toBe(40_00n);
});
