import { randomUUID } from 'node:crypto';
import { Archipay } from '@archipay/sdk';
import { money } from '@archipay/sdk/money';

const apiKey = process.env.ARCHIPAY_API_KEY ?? `ak_demo_${'0'.repeat(64)}`;

async function loggedIn(usernameoremail, password) {
  const archipay = new Archipay({ apiKey });
  const { data } = await archipay.auth.logIn({ usernameoremail, password });
  return archipay.as(data.token);
}

const admin = await loggedIn('admin@demo.example', 'Admin-demo-1');

/** A person of the marketplace with a wallet in dollars. */
async function person(name) {
  const username = `${name}-${randomUUID()}`;
  const email = `${username}@demo.example`;
  const made = await admin.admins.createUser({
    client_id: 2,
    username,
    email,
    phone: '+12025550144',
    country_code: 'US',
  });
  const archipay = await loggedIn(email, made.temp_password);
  const { data: wallet } = await archipay.fiatWallets.open({ currency: 'USD' });
  const balance = async () =>
    (await archipay.fiatWallets.getBalance({ wallet_id: wallet.wallet_id })).data.available;
  return { archipay, wallet_id: wallet.wallet_id, balance };
}

const platform = await person('platform');
const weaver = await person('weaver');
const potter = await person('potter');
const buyer = await person('buyer');
const card = { card_number: '4111111111111111', expiry_date: '1232' };
await buyer.archipay.cards.topUp({ ...card, amount: '200.00', currency_code: 'USD' });

async function show(title) {
  console.log(
    `${title}: platform ${await platform.balance()}, weaver ${await weaver.balance()}, potter ${await potter.balance()}`,
  );
}

// The platform keeps a tenth; `allocate` loses no cent.
const cart = { weaver: money('79.99', 'USD'), potter: money('40.00', 'USD') };
const total = cart.weaver.add(cart.potter);
const [weaverPart] = cart.weaver.allocate([9, 1]);
const [potterPart] = cart.potter.allocate([9, 1]);
const { data: invoice } = await platform.archipay.invoices.create({
  amount: String(total),
  currency: 'USD',
  description: 'A scarf and a bowl',
  split: [
    { wallet_id: weaver.wallet_id, amount: String(weaverPart), reference: 'scarf' },
    { wallet_id: potter.wallet_id, amount: String(potterPart), reference: 'bowl' },
  ],
});
const { invoice_id } = invoice;
await buyer.archipay.invoices.pay(
  { invoice_id, from_wallet_id: buyer.wallet_id },
  { idempotencyKey: `pay-${invoice_id}` },
);
await show('paid');

// It comes out of the platform's own part.
await platform.archipay.invoiceRefunds.create(
  { invoice_id, amount: '10.00', reason: 'A crack' },
  { idempotencyKey: `refund-${invoice_id}` },
);
await show('refunded');
console.log('the buyer has', await buyer.balance());
