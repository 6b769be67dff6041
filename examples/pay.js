import { Archipay } from '@archipay/sdk';

const application = new Archipay({ apiKey: `ak_demo_${'0'.repeat(64)}` });
const login = await application.auth.logIn({
  usernameoremail: 'user@demo.example',
  password: 'User-demo-1',
});
const archipay = application.as(login.data.token);
const { data: wallet } = await archipay.fiatWallets.open({ currency: 'USD' });
const card = { card_number: '4111111111111111', expiry_date: '1232' };
const { data: paid } = await archipay.cards.topUp(
  { ...card, amount: '100.00', currency_code: 'USD' },
  { idempotencyKey: 'first-top-up' }, // once, however often it is sent
);
console.log(paid.reference_id, 'settled', paid.net_amount);
for await (const line of archipay.fiatWallets.listTransactions({ wallet_id: wallet.wallet_id }))
  console.log(line.amount, line.balance_after);
