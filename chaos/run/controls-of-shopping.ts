import { readWebhooks, type WebhooksSeen } from '../checks/webhooks.ts';
import type { Control } from './controls.ts';

/** Operations of banks, an exchange, shops and the agent, one too many or one too few. */
export const bankControls: readonly Control[] = [
  {
    name: 'bank-link-gone',
    finds: 'lost',
    where: /^bank link of user/,
    spoil: ({ sql }) =>
      sql(`update bank_connections set state = 'REMOVED', sealed_token = null
           where connection_id = (select connection_id from bank_connections
             where state = 'CONNECTED' limit 1)`),
  },
  {
    name: 'bank-debit-unasked',
    finds: 'unasked',
    where: /^bank$/,
    spoil: ({ sql }) =>
      sql(`insert into sandbox.records (provider, kind, id, data)
           values ('plaid', 'transfer', 'control', '{"amount": "1.11", "status": "settled"}')`),
  },
];

export const conversionControls: readonly Control[] = [
  {
    name: 'conversion-gone',
    finds: 'lost',
    where: /^conversions$/,
    spoil: ({ sql }) =>
      sql(`delete from conversion_jobs
           where job_id = (select max(job_id) from conversion_jobs where status = 'COMPLETED')`),
  },
  {
    name: 'exchange-order-doubled',
    finds: 'doubled',
    where: /^exchange$/,
    spoil: ({ sql }) =>
      sql(`insert into sandbox.records (provider, kind, id, data)
           select provider, kind, 'control', data from sandbox.records
           where provider = 'exchange' and kind = 'order' and data ->> 'status' = '2' limit 1`),
  },
  {
    name: 'exchange-balance-off',
    finds: 'wrong',
    where: /^exchange$/,
    spoil: ({ sql }) =>
      sql(`update sandbox.records
           set data = jsonb_set(data, '{usdc}', to_jsonb(((data ->> 'usdc')::numeric + 1)::text))
           where provider = 'exchange' and kind = 'account'`),
  },
];

export const shoppingControls: readonly Control[] = [
  {
    name: 'purchase-gone',
    finds: 'lost',
    where: /^purchases$/,
    spoil: ({ sql }) =>
      sql(`delete from purchase_orders where order_id = (
             select max(order_id) from purchase_orders where status = 'COMPLETED')`),
  },
  {
    name: 'order-unpaid',
    finds: 'lost',
    where: /^orders$/,
    spoil: ({ sql }) =>
      sql(`update marketplace_orders
           set payment_status = 'PENDING', paid_at = null, blockchain_tx_hash = null
           where serial = (select max(serial) from marketplace_orders where payment_status = 'PAID')`),
  },
  {
    name: 'payment-owed',
    finds: 'lost',
    where: /^payments of orders$/,
    spoil: ({ sql }) =>
      sql(`update marketplace_payments
           set reason = 'PAID_ALREADY', refund = 'OWED', owed_units = units, applied_units = 0
           where payment_id = (select max(payment_id) from marketplace_payments
             where state = 'COUNTED' and owed_units = 0)`),
  },
  {
    name: 'talk-doubled',
    finds: 'doubled',
    where: /^agent$/,
    spoil: ({ sql }) =>
      sql(`insert into agent_confirmations
             (confirmation_id, user_id, client_id, intent, parameters, language, code, needs_code,
              status, asked, result, created_at, expires_at, ended_at)
           select gen_random_uuid(), user_id, client_id, intent, parameters, language, code,
             needs_code, status, asked, result, created_at, expires_at, ended_at
           from agent_confirmations where status = 'DONE' limit 1`),
  },
];

const SOME_ARRIVAL = `provider = 'receiver' and kind = 'arrival'`;

/** Among the compared ones: the comparison ignores the order of unexpected ones. */
function firstOfSeveral({ events, arrivals }: WebhooksSeen): string | undefined {
  const came = new Set(arrivals.map(({ id }) => id));
  const seen = events.filter(({ id }) => came.has(id));
  return seen.find((one, place) =>
    seen.slice(place + 1).some(({ object }) => object === one.object),
  )?.id;
}

export const webhookControls: readonly Control[] = [
  {
    name: 'webhook-gone',
    finds: 'lost',
    where: /^webhooks$/,
    async spoil({ world, sql }) {
      const { events } = await readWebhooks(world);
      await sql(`delete from sandbox.records where ${SOME_ARRIVAL} and data ->> 'id' = $1`, [
        events.at(-1)?.id,
      ]);
    },
  },
  {
    name: 'webhook-altered',
    finds: 'wrong',
    where: /^webhooks$/,
    spoil: ({ sql }) =>
      sql(`update sandbox.records set data = jsonb_set(data, '{body}', to_jsonb(data ->> 'body' || ' '))
           where seq = (select max(seq) from sandbox.records where ${SOME_ARRIVAL})`),
  },
  {
    name: 'webhook-late',
    finds: 'wrong',
    where: /^webhooks$/,
    // The first of an object's events comes after all others.
    async spoil({ world, sql }) {
      const [first] = await sql(
        `delete from sandbox.records where ${SOME_ARRIVAL} and data ->> 'id' = $1 returning data`,
        [firstOfSeveral(await readWebhooks(world))],
      );
      const data = JSON.stringify(first?.['data']);
      await sql(
        `insert into sandbox.records (provider, kind, id, data)
         values ('receiver', 'arrival', 'control', $1::jsonb)`,
        [data],
      );
    },
  },
];
