import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { Archipay } from '@archipay/sdk';
import { WebhookHandler } from '@archipay/sdk/webhooks';

const apiKey = process.env.ARCHIPAY_API_KEY ?? `ak_demo_${'0'.repeat(64)}`;
const address = 'http://localhost:8080';

async function loggedIn(usernameoremail, password) {
  const archipay = new Archipay({ apiKey });
  const { data } = await archipay.auth.logIn({ usernameoremail, password });
  return archipay.as(data.token);
}

const merchant = await loggedIn('user@demo.example', 'User-demo-1');
const admin = await loggedIn('admin@demo.example', 'Admin-demo-1');

/** In a real shop, tables: the orders, and the ids of the events that were handled. */
const orders = new Map();
const seen = new Set();

const { data: endpoint } = await admin.webhookEndpoints.create({
  url: `${address}/hook`,
  types: ['invoice.paid'],
});
const handler = new WebhookHandler({ secrets: endpoint.secret, seen })
  .on('invoice.paid', ({ data: invoice }) => {
    const order = orders.get(invoice.reference);
    if (order) order.status = 'SHIPPED';
  })
  .otherwise(() => {});

async function placeOrder({ title, price }) {
  const order_id = randomUUID();
  orders.set(order_id, { title, status: 'OPEN' });
  // The order's own id names the invoice, and as the key it makes a repeated call answer the same invoice.
  const { data: invoice } = await merchant.invoices.create(
    { amount: price, currency: 'USD', description: title, reference: order_id },
    { idempotencyKey: order_id },
  );
  return { order_id, invoice_id: invoice.invoice_id, amount: invoice.to_pay };
}

const server = createServer(async (request, response) => {
  if (request.url === '/hook') return handler.node(request, response);
  const answer =
    request.method === 'POST'
      ? await placeOrder(await json(request))
      : (orders.get(request.url.slice('/orders/'.length)) ?? {});
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer));
});
server.listen(Number(new URL(address).port));

process.once('SIGTERM', async () => {
  await admin.webhookEndpoints.delete({ endpoint_id: endpoint.endpoint_id });
  process.exit();
});
