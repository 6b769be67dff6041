import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness } from '#test/harness.ts';
import { shopper } from '#test/marketplace.ts';
import { listOrders } from './order-store.ts';

const h = await harness();
const shop = shopper(h, await h.user());
const ORDERS = 40_000;
const CANCELLED = ORDERS / 10;

/** As many orders of one user as nobody makes, by the database itself: copies of one. */
async function fill(): Promise<void> {
  const { order_id } = await shop.ordered(`0x${'12'.repeat(20)}`);
  const columns = `user_id, client_id, source, product, vendor, recipient, is_known, original_units,
    original_currency, usd_units, shipping_units, total_units, units, chain_id, wallet_address,
    contract_address, token_address, page_key, expires_at, created_at`;
  await run(h.db, 'alter table marketplace_orders disable trigger user', []);
  await run(
    h.db,
    `insert into marketplace_orders (order_id, operation, ordinal, payment_status, ${columns})
     select 'MKT-' || (1700000000000 + n) || '-' || lpad(n::text, 8, '0'), gen_random_uuid(), n,
       case n % 10 when 0 then 'CANCELLED' else 'PENDING' end, ${columns}
     from marketplace_orders, generate_series(2, ${ORDERS}) as n where order_id = $1`,
    [order_id],
  );
  await run(h.db, 'alter table marketplace_orders enable trigger user', []);
  await run(h.db, 'update marketplace_customers set orders = $1', [ORDERS]);
  await run(h.db, 'update marketplace_counts set n = $1', [ORDERS - CANCELLED]);
  await run(
    h.db,
    "insert into marketplace_counts (user_id, status, n) values ($1, 'CANCELLED', $2)",
    [shop.as.user_id, CANCELLED],
  );
  await run(h.db, 'vacuum analyze marketplace_orders', []);
}

/** How the database reads a page, and how many blocks of 8 KiB. */
async function planOf(text: string, values: readonly unknown[]) {
  const [row] = await run<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    h.db,
    `explain (analyze, buffers, format json) ${text}`,
    values,
  );
  const plan = row?.['QUERY PLAN'][0].Plan ?? {};
  const blocks = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  return { blocks, text: JSON.stringify(plan) };
}

test('a page of very many orders is read by its place, however deep', async () => {
  await fill();
  const { user_id } = shop.as;
  const texts: [string, readonly unknown[]][] = [];
  const spy = new Proxy(h.db, {
    get: (target, name) =>
      name === 'executeQuery'
        ? async (query: { sql: string; parameters: readonly unknown[] }) => {
            texts.push([query.sql, query.parameters]);
            return { rows: [] };
          }
        : Reflect.get(target, name),
  });
  for (const offset of [0, 20_000, 39_000])
    await listOrders(spy, { user_id, status: undefined, limit: 100, offset });
  for (const [text, values] of texts) expect((await planOf(text, values)).blocks).toBeLessThan(60);
  const [, { orders, pagination }] = await shop.list({ limit: 100, offset: 30_000 });
  expect(orders).toHaveLength(100);
  expect(orders[0].order_id).toMatch(/-00010000$/);
  expect(pagination).toEqual({ total: ORDERS, limit: 100, offset: 30_000, has_more: true });
  texts.length = 0;
  await listOrders(spy, { user_id, status: 'CANCELLED', limit: 100, offset: 3_900 });
  const [[text, values] = ['', []]] = texts;
  // The index alone is walked, and only the page's own rows are fetched.
  const plan = await planOf(text, values);
  expect(plan.text).toMatch(/"Index Only Scan".{1,200}"marketplace_orders_by_status"/);
  expect(plan.text).not.toContain('Seq Scan');
});
