import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchPayments } from './match-payments.ts';
import type { MarketplaceOrder } from './order-store.ts';
import type { MarketplacePayment } from './payment-store.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const USERS = [1, 2] as const;

const place = { chain_id: 'sepolia', contract: '0xA', token: '0xB' } as const;

/** Orders of two users that name one wallet, and what comes from it, at few sums so that they meet. */
const sums = fc.bigInt(1n, 3n);
const orders = fc
  .array(fc.record({ user_id: fc.constantFrom(...USERS), units: sums }), { maxLength: 8 })
  .map((all) => all.map((one, index) => orderOf(index, one)));
const payments = fc
  .array(fc.record({ units: sums, meant: fc.option(fc.nat({ max: 7 }), { nil: undefined }) }), {
    maxLength: 12,
  })
  .map((all) => all.map((one, index) => paymentOf(index, one)));

function orderOf(
  index: number,
  { user_id, units }: Pick<MarketplaceOrder, 'user_id' | 'units'>,
): MarketplaceOrder {
  const order: Partial<MarketplaceOrder> = {
    serial: index,
    order_id: `MKT-${index}`,
    user_id,
    units,
    payment_status: 'PENDING',
    wallet_address: WALLET,
    chain_id: place.chain_id,
    contract_address: place.contract,
    token_address: place.token,
  };
  return order as MarketplaceOrder;
}

interface Paid {
  readonly units: bigint;
  /** The order that a payment by the contract's `pay` names; nothing of a plain transfer. */
  readonly meant: number | undefined;
}

function paymentOf(index: number, { units, meant }: Paid): MarketplacePayment {
  const payment: Partial<MarketplacePayment> = {
    payment_id: index,
    payer: WALLET,
    units,
    ...place,
    applied_units: 0n,
    sent_units: 0n,
    reason: null,
    ...(meant === undefined
      ? { kind: 'TRANSFER', order_id: null }
      : { kind: 'CONTRACT', order_id: `MKT-${meant}` }),
  };
  return payment as MarketplacePayment;
}

test('every payment is applied or owed in full, and no order is paid twice', () => {
  fc.assert(
    fc.property(orders, payments, fc.constantFrom(undefined, ...USERS), (all, paid, owner) => {
      const matches = matchPayments(paid, all, ownedBy(owner));
      expect(matches.map(({ payment }) => payment)).toEqual(paid);
      for (const { payment, applied, owed, order } of matches) {
        expect(applied + owed).toBe(payment.units);
        expect(applied).toBe(order?.units ?? 0n);
      }
      const serials = matches.flatMap(({ order }) => order?.serial ?? []);
      expect(new Set(serials).size).toBe(serials.length);
    }),
  );
});

test('plain transfers of a wallet that is one user’s pay that user’s orders, the oldest first', () => {
  fc.assert(
    fc.property(orders, payments, fc.constantFrom(...USERS), (all, paid, owner) => {
      const settled = new Set<number>();
      for (const { payment, order, reason } of matchPayments(paid, all, ownedBy(owner))) {
        if (payment.kind === 'TRANSFER') {
          const due = all.find(
            ({ serial, user_id, units }) =>
              user_id === owner && units === payment.units && !settled.has(serial),
          );
          expect([order?.serial, reason]).toEqual([due?.serial, due ? undefined : 'NO_ORDER']);
        }
        if (order) settled.add(order.serial);
      }
    }),
  );
});

test('plain transfers of a wallet that is not known to be one user’s pay while one user waits for the sum', () => {
  fc.assert(
    fc.property(orders, payments, (all, paid) => {
      const settled = new Set<number>();
      for (const { payment, order, reason } of matchPayments(paid, all, ownedBy(undefined))) {
        if (payment.kind === 'TRANSFER') {
          const due = all.filter(
            ({ serial, units }) => units === payment.units && !settled.has(serial),
          );
          const users = new Set(due.map(({ user_id }) => user_id)).size;
          expect(order?.serial).toBe(users === 1 ? due[0]?.serial : undefined);
          expect(reason === 'AMBIGUOUS').toBe(users === 2);
        }
        if (order) settled.add(order.serial);
      }
    }),
  );
});

const ownedBy = (user_id: number | undefined): ReadonlyMap<string, number> =>
  new Map(user_id === undefined ? [] : [[WALLET, user_id]]);
