import type { LoggedIn } from './people.ts';
import { mustEqual, type Service } from './service.ts';

const CARD = { card_number: '4111111111111111', expiry_date: '1232' };

/** Two people of a client, with names of this run for what they do. */
export interface Pair {
  readonly user: LoggedIn;
  readonly friend: LoggedIn;
  readonly run: string;
}

/** The wallet in that currency, opened unless it is there. */
export async function walletIn(service: Service, as: LoggedIn, currency: string): Promise<number> {
  const wallet = await service.call('POST /wallets/fiat', {
    as,
    body: { currency },
    describe: (answer) => `${answer.text('data.balance')} ${currency}`,
  });
  return wallet.number('data.wallet_id');
}

/** Once for each key, in whatever run. */
export const keyed = (as: LoggedIn, key: string) => ({ as, headers: { 'idempotency-key': key } });

/** One sends, asks for some of it back and is paid; then sends in another currency by a quote. */
export async function betweenPeople(service: Service, { user, friend, run }: Pair): Promise<void> {
  service.part('Money between two people');
  const from_wallet_id = await walletIn(service, user, 'USD');
  const theirs = await walletIn(service, friend, 'USD');
  await service.call('POST /card-checkout/card', {
    ...keyed(user, `fill-${run}`),
    body: { ...CARD, amount: '100.00', currency_code: 'USD' },
    describe: (answer) => `${answer.number('data.net_amount')} USD to send`,
  });
  const to = { user_id: friend.user_id };
  await service.call('POST /wallets/fiat/transfers', {
    ...keyed(user, `send-${run}`),
    status: 201,
    body: { from_wallet_id, to, amount: '20.00', note: 'Lunch' },
    describe: (answer) => `${answer.text('data.amount')} USD, ${answer.text('data.status')}`,
  });

  service.part('A request for money, which is paid');
  const asked = await service.call('POST /wallets/fiat/requests', {
    as: user,
    status: 201,
    body: { wallet_id: from_wallet_id, to, amount: '12.50', note: 'Your half' },
    describe: (answer) => `${answer.text('data.amount')} USD, ${answer.text('data.status')}`,
  });
  const paid = await service.call('POST /wallets/fiat/requests/{request_id}/accept', {
    ...keyed(friend, `accept-${run}`),
    params: { request_id: asked.text('data.request_id') },
    body: { from_wallet_id: theirs },
    describe: (answer) => `${answer.text('data.status')} by ${answer.text('data.transfer_id')}`,
  });
  mustEqual('the request', paid.text('data.status'), 'ACCEPTED');

  const received = await byQuote(service, { user, friend, run }, from_wallet_id);
  mustEqual('the friend’s dollars', await balanceOf(service, friend, 'USD'), '7.50');
  mustEqual('the friend’s Singapore dollars', await balanceOf(service, friend, 'SGD'), received);
}

/** Answers what the quote has promised. */
async function byQuote(
  service: Service,
  { user, friend, run }: Pair,
  from_wallet_id: number,
): Promise<string> {
  service.part('A quote, and a transfer by it: dollars leave, Singapore dollars arrive');
  const quote = await service.call('POST /fx/quotes', {
    as: user,
    status: 201,
    body: { from_currency: 'USD', to_currency: 'SGD', from_amount: '10', valid_for: '24h' },
    describe: (answer) => `${answer.text('data.to_amount')} SGD for a day`,
  });
  const quote_id = quote.text('data.quote_id');
  const sent = await service.call('POST /wallets/fiat/transfers', {
    ...keyed(user, `quoted-${run}`),
    status: 201,
    body: { from_wallet_id, to: { user_id: friend.user_id }, amount: '10', quote_id },
    describe: (answer) => `${answer.text('data.received.amount')} SGD arrived`,
  });
  mustEqual('what arrived', sent.text('data.received.amount'), quote.text('data.to_amount'));
  const used = await service.call('GET /fx/quotes/{quote_id}', {
    as: user,
    params: { quote_id },
    describe: (answer) => answer.text('data.status'),
  });
  mustEqual('the user of the quote', used.text('data.used_by'), sent.text('data.transfer_id'));
  return quote.text('data.to_amount');
}

/** In decimal text. */
export async function balanceOf(service: Service, as: LoggedIn, currency: string): Promise<string> {
  const answer = await service.call('GET /wallets/fiat/{user_id}', {
    as,
    params: { user_id: as.user_id },
    describe: (answer) => `${answer.list('data.wallets').length} wallets`,
  });
  const wallets = answer.list('data.wallets') as { currency: string; balance: string }[];
  return wallets.find((wallet) => wallet.currency === currency)?.balance ?? 'none';
}
