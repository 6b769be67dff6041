import { run } from '#kernel/db/db.ts';
import { listOf, textOf } from '../clients/answer.ts';
import type { Books } from '../clients/books.ts';
import type { Finding } from './findings.ts';
import { match } from './match.ts';
import { allPages } from './pages.ts';
import type { World } from './world.ts';

export interface ShoppingSeen {
  /** Orders that are paid or being paid, such as `MCP-… COMPLETED`. */
  readonly purchases: readonly string[];
  /** In users' view, such as `MKT-… PAID`; without unpaid ones. */
  readonly orders: readonly string[];
  /** The orders with counted payments on chain. */
  readonly payments: readonly string[];
}

const PAGE = 100;
const UNPAID = ['PENDING', 'CANCELLED'];

export async function readShopping({ db, people, api }: World): Promise<ShoppingSeen> {
  const purchases = await run<{ name: string }>(
    db,
    `select order_id || ' ' || status as name from purchase_orders
     where status not in ('CREATED', 'EXPIRED')`,
    [],
  );
  const payments = await run<{ name: string }>(
    db,
    `select case when owed_units = 0 then order_id else 'owed for ' || reason end as name
     from marketplace_payments where state = 'COUNTED'`,
    [],
  );
  const orders = await Promise.all(
    people.map(async ({ token }) => {
      const rows = await allPages(PAGE, async ({ length }) => {
        const path = `GET /marketplace/orders?limit=${PAGE}&offset=${length}`;
        return listOf(await api(path, { token }), 'orders');
      });
      return rows
        .map((row) => [textOf(row, 'order_id'), textOf(row, 'payment_status')] as const)
        .filter(([, status]) => !UNPAID.includes(status))
        .map(([order_id, status]) => `${order_id} ${status}`);
    }),
  );
  return {
    purchases: purchases.map(({ name }) => name),
    orders: orders.flat(),
    payments: payments.map(({ name }) => name),
  };
}

/** Each paid order is paid once, and shown as paid. The chains' check compares the wallets. */
export function checkShopping(books: Books, seen: ShoppingSeen): Finding[] {
  const bought = books.done('purchase').map(({ operation: { key, body } }) => ({
    key,
    name: `${textOf(body, 'order_id')} COMPLETED`,
  }));
  const paid = books.done('order');
  const named = (nameOf: (order_id: string) => string) =>
    paid.map(({ operation: { key }, effect }) => ({ key, name: nameOf(effect.order_id) }));
  return [
    ...match('purchases', bought, seen.purchases),
    ...match(
      'orders',
      named((order_id) => `${order_id} PAID`),
      seen.orders,
    ),
    ...match(
      'payments of orders',
      named((order_id) => order_id),
      seen.payments,
    ),
  ];
}
