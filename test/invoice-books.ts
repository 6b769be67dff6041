import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { houseBalance } from './cards.ts';
import { gatewayOf } from './gateway-controls.ts';
import type { Body, Harness, Person } from './harness.ts';

const sumOf = async (h: Harness, text: string, values: readonly unknown[] = []): Promise<bigint> =>
  BigInt(String((await run<{ sum: unknown }>(h.db, text, values))[0]?.sum ?? 0));

/** What of the money of invoices is not where its objects say; empty where all of it is. */
export async function wrongInvoiceBooks(h: Harness, merchant: Person): Promise<Body> {
  const { user_id } = merchant;
  const wallet = `from ledger.accounts where owner = $1 and purpose = 'wallet' and asset = 'IDR'`;
  const owner = [`user:${user_id}`];
  const house = (purpose: string) => houseBalance(h, purpose, 'IDR');
  const pairs: Readonly<Record<string, readonly [bigint, bigint]>> = {
    'owed to payers': [
      await house('invoice-unmatched'),
      await sumOf(h, 'select sum(owed) from invoice_unmatched'),
    ],
    'parts that wait': [
      await house('invoice-partial'),
      await sumOf(
        h,
        `select sum(p.amount) from invoice_payments p join invoices i using (invoice_id)
         where p.status = 'SUCCEEDED' and i.status in ('OPEN', 'PROCESSING', 'PARTIALLY_PAID')`,
      ),
    ],
    'set aside': [
      await sumOf(h, `select held as sum ${wallet}`, owner),
      await sumOf(
        h,
        `select sum(amount) from invoice_refunds
         where unmatched_id is null and status in ('PENDING', 'AWAITING_PAYER')`,
      ),
    ],
    'the merchant’s': [
      await sumOf(h, `select posted as sum ${wallet}`, owner),
      (await sumOf(
        h,
        `select sum(p.net) from invoice_payments p join invoices i using (invoice_id)
         where p.status = 'SUCCEEDED' and i.status = 'PAID'`,
      )) -
        (await sumOf(
          h,
          `select sum(amount) from invoice_refunds where unmatched_id is null and status = 'SUCCEEDED'`,
        )),
    ],
    'at the gateway': [-(await house('gateway')), await gatewayOf(h).balance()],
    'counted otherwise than refunded': [
      0n,
      await sumOf(
        h,
        `select count(*) as sum from invoices i cross join lateral (
           select coalesce(sum(amount) filter (where r.status = 'SUCCEEDED'), 0) as back,
             coalesce(sum(amount) filter (where r.status in ('PENDING', 'AWAITING_PAYER')), 0) as on_its_way
           from invoice_refunds r where r.invoice_id = i.invoice_id and r.unmatched_id is null) r
         where i.refunded <> r.back or i.refunding <> r.on_its_way`,
      ),
    ],
  };
  const wrong = Object.entries(pairs).filter(([, [ours, theirs]]) => ours !== theirs);
  const { broken } = await verifyLedger(h.db);
  return {
    ...Object.fromEntries(wrong.map(([name, [a, b]]) => [name, `${a} and ${b}`])),
    ...(broken.length > 0 && { broken }),
  };
}
