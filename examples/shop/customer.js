import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Archipay } from '@archipay/sdk';

const apiKey = process.env.ARCHIPAY_API_KEY ?? `ak_demo_${'0'.repeat(64)}`;
const address = 'http://localhost:8080';

async function loggedIn(usernameoremail, password) {
  const archipay = new Archipay({ apiKey });
  const { data } = await archipay.auth.logIn({ usernameoremail, password });
  return archipay.as(data.token);
}

/** A person with 97.00 USD, whom the admin of the demo client makes. */
async function customer() {
  const admin = await loggedIn('admin@demo.example', 'Admin-demo-1');
  const username = `customer-${randomUUID()}`;
  const email = `${username}@demo.example`;
  const made = await admin.admins.createUser({
    client_id: 2,
    username,
    email,
    phone: '+12025550142',
    country_code: 'US',
  });
  const archipay = await loggedIn(email, made.temp_password);
  const { data: wallet } = await archipay.fiatWallets.open({ currency: 'USD' });
  const card = { card_number: '4111111111111111', expiry_date: '1232' };
  await archipay.cards.topUp({ ...card, amount: '100.00', currency_code: 'USD' });
  return { archipay, from_wallet_id: wallet.wallet_id };
}

/** Asks the shop again until it answers: it may still be starting. */
async function ask(path, body) {
  for (;;) {
    try {
      const reply = await fetch(address + path, {
        method: body ? 'POST' : 'GET',
        ...(body && { body: JSON.stringify(body) }),
      });
      return await reply.json();
    } catch {
      await pause(200);
    }
  }
}

const { archipay, from_wallet_id } = await customer();
const { order_id, invoice_id, amount } = await ask('/orders', { title: 'Scarf', price: '40.00' });
console.log('asked for', amount);
const { data: payment } = await archipay.invoices.pay(
  { invoice_id, from_wallet_id },
  { idempotencyKey: `pay-${order_id}` },
);
console.log('paid', payment.amount);
let order = await ask(`/orders/${order_id}`);
while (order.status !== 'SHIPPED') {
  await pause(200);
  order = await ask(`/orders/${order_id}`);
}
console.log('the order is', order.status);
