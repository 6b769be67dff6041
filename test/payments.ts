import { run } from '#kernel/db/db.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import type { App } from '#src/app/app.ts';

/**
 * At the end of a service: fails where the list of payments is not what its sources are, or leaves a transfer out that
 * a payment has posted.
 */
export async function checkPayments(
  { kernel: { db }, features }: App,
  file: string,
): Promise<void> {
  const sources = new Map(features.payments.map(({ source }) => [source.view, source]));
  const faults: string[] = [];
  const compared = BY_HAND.some((one) => file.endsWith(one)) ? [] : [...sources.values()];
  for (const source of compared)
    faults.push(
      ...(await run<{ fault: string }>(db, differingFrom(source), [])).map((f) => f.fault),
    );
  faults.push(...(await run<{ fault: string }>(db, UNLISTED, [])).map(({ fault }) => fault));
  if (faults.length > 0) throw new Error(`The list of payments is wrong:\n${faults.join('\n')}`);
}

/** Test files that change a thing behind the back of the service. */
const BY_HAND = [
  'purchases/trust.test.ts',
  'xrpl/xrpl.test.ts',
  'marketplace/orders/orders.test.ts',
  'marketplace/orders/lost.long.test.ts',
  'marketplace/orders/manual-resolution.test.ts',
  'adjustments/races.long.test.ts',
  // Payments keep the masked name that the other person had.
  'profile/closing/erase.test.ts',
  'profile/closing/crash.long.test.ts',
];

const SHOWN = `object_type, object_id, client_id, user_id, wallet_id, rail, kind, direction, currency, scale, amount,
  fee, refunded, status, counterparty_name, counterparty_detail, our_reference, failure_code, failure_message`;

/** Rows that were written by a test itself have no payment, and none that it deletes has its thing. */
export const differingFrom = ({ view }: Pick<PaymentSource, 'view'>): string => `
  select 'differs: ' || t::text || ' is ' || p::text as fault
    from (select ${SHOWN} from ${view}) t join (select ${SHOWN} from payments) p using (object_id, object_type)
   where (t.*) is distinct from (p.*) limit 5`;

/** The kinds of postings by which payments move money. */
const KINDS =
  '^(adjustment|reversal|bank-top|card-|cardano-(mint|burn|hold|payout|return|release)|conversion-|fx-|idr-|marketplace-|purchase-|wallet-|xrpl-)';
/** Transfers that no payment has posted. */
export const UNLISTED = `
  select 'not listed: ' || t.kind || ' ' || t.operation_key as fault
    from ledger.transfers t
   where t.kind ~ '${KINDS}' and t.operation_key !~ '^test' and not exists (
     select from unnest(string_to_array(t.operation_key, ':')) part
     join payments p on p.object_id = part or p.our_reference in (part, t.operation_key)
       or p.object_type = 'conversion' and p.object_id = substring(part from '^ARC-[TW]-([0-9]+)-'))
   -- What an order has got is its payment.
   and not exists (select from marketplace_payments m join marketplace_orders o on o.serial = m.order_serial
     join payments p on p.object_id = o.order_id where t.operation_key like 'marketplace-payment:' || m.payment_id || ':%')
   limit 5`;
