import type { LoggedIn } from './people.ts';
import { mustEqual, type Service } from './service.ts';

const GOOD = { card_number: '4111111111111111', expiry_date: '1232' };
const DECLINES = { card_number: '4000000000000002', expiry_date: '1232' };

export interface Books {
  readonly wallet_id: number;
  /** In decimal text, as in the wallet's statement. */
  readonly balance: string;
}

/** Tops a wallet up from a card, refunds part of it, and is declined. */
export async function cards(service: Service, user: LoggedIn, run: string): Promise<Books> {
  service.part('A fiat wallet, and a card to top it up from');
  const opened = await service.call('POST /wallets/fiat', {
    as: user,
    body: { currency: 'USD' },
    describe: (answer) =>
      `wallet ${answer.number('data.wallet_id')}, ${answer.text('data.balance')}`,
  });
  const wallet_id = opened.number('data.wallet_id');
  await service.call('POST /card-checkout/card/validate', {
    as: user,
    body: { ...GOOD, cvv: '123' },
    describe: (answer) => `…${answer.text('data.card_last4')} is good`,
  });
  const topUp = {
    as: user,
    headers: { 'idempotency-key': `top-up-${run}` },
    body: { ...GOOD, amount: '100.00', currency_code: 'USD' },
  };
  const paid = await service.call('POST /card-checkout/card', {
    ...topUp,
    describe: (answer) => `100.00, of which ${answer.number('data.platform_fee')} are the fee`,
  });
  const reference_id = paid.text('data.reference_id');
  const again = await service.call('POST /card-checkout/card', {
    ...topUp,
    describe: () => 'the same key again: nothing is taken twice',
  });
  mustEqual('the repeated answer', again.body, paid.body);

  service.part('A card that declines takes nothing and gives nothing');
  await service.call('POST /card-checkout/card', {
    as: user,
    status: 400,
    body: { ...DECLINES, amount: '100.00', currency_code: 'USD' },
    describe: (answer) => answer.text('error'),
  });

  service.part('A refund, once');
  const refund = { ...GOOD, amount: '40.00', currency_code: 'USD', reference_id };
  await service.call('POST /card-checkout/card/refund', { as: user, body: refund });
  await service.call('POST /card-checkout/card/refund', {
    as: user,
    status: 500,
    body: refund,
    describe: (answer) => `${answer.text('code')} (the contract wants a 500 here)`,
  });
  return statement(service, user, wallet_id);
}

async function statement(service: Service, user: LoggedIn, wallet_id: number): Promise<Books> {
  const { body } = await service.call('GET /wallets/fiat/{wallet_id}/transactions', {
    as: user,
    params: { wallet_id },
  });
  const { transactions } = (body as { data: { transactions: Entry[] } }).data;
  for (const { type, amount, balance_after } of [...transactions].reverse())
    service.note(`${type.padEnd(14)} ${amount.padStart(8)}   balance ${balance_after}`);
  const balance = transactions[0]?.balance_after ?? '';
  // 100.00 less 3 % in; 40.00 out, of which the platform returns its 3 %.
  mustEqual('the balance', balance, '58.20');
  return { wallet_id, balance };
}

interface Entry {
  readonly type: string;
  readonly amount: string;
  readonly balance_after: string;
}

/** The ledger must match the amounts counted on the way. */
export async function books(
  service: Service,
  admin: LoggedIn,
  user: LoggedIn,
  { wallet_id, balance }: Books,
): Promise<void> {
  service.part('The books: what the admin sees is what the steps came to');
  const wallets = await service.call('GET /wallets/fiat/{user_id}', {
    as: user,
    params: { user_id: user.user_id },
  });
  const own = wallets
    .list('data.wallets')
    .find((wallet) => (wallet as { wallet_id: number }).wallet_id === wallet_id);
  mustEqual('the wallet', (own as { balance?: string })?.balance, balance);
  const { body } = await service.call('GET /users/users', { as: admin });
  const row = (body as Row[]).find(({ user_id }) => user_id === user.user_id);
  service.note(`${row?.transactions_count} transactions, volume ${row?.total_volume}`);
  mustEqual('total_balance', row?.total_balance, `${balance} USD`);
}

interface Row {
  readonly user_id: number;
  readonly transactions_count: number;
  readonly total_volume: string;
  readonly total_balance: string;
}
