import { keyed, type Pair, walletIn } from './between-people.ts';
import type { LoggedIn } from './people.ts';
import { mustEqual, type Service } from './service.ts';

const CARD = { card_number: '4111111111111111', expiry_date: '1239' };
const RUPIAH = 600_000;

interface Payer extends Pair {
  readonly admin: LoggedIn;
  /** Another admin of the same client. */
  readonly colleague: LoggedIn;
}

/** A withdrawal to a bank recipient, then a batch that two admins have to agree about. */
export async function toBanks(service: Service, payer: Payer): Promise<void> {
  const { user, run } = payer;
  service.part('A withdrawal to an account at a bank');
  const wallet_id = await walletIn(service, user, 'IDR');
  await service.call('POST /card-checkout/cardcc', {
    ...keyed(user, `rupiah-${run}`),
    body: { ...CARD, amount: RUPIAH, currency_code: 'IDR' },
    describe: (answer) => `${answer.number('data.net_amount')} IDR`,
  });
  const recipient = await service.call('POST /recipients', {
    as: user,
    status: 201,
    body: {
      name: 'Siti Rahma',
      kind: 'bank',
      currency: 'IDR',
      details: { bank_code: 'BCA', account_number: '8800123456' },
    },
    describe: (answer) => `${answer.text('data.name')}, ${answer.text('data.country')}`,
  });
  const recipient_id = recipient.text('data.recipient_id');
  await withdrawal(service, payer, { wallet_id, recipient_id });
  await batch(service, payer, { wallet_id, recipient_id });
}

interface Payout {
  readonly wallet_id: number;
  readonly recipient_id: string;
}

async function withdrawal(
  service: Service,
  { user, run }: Payer,
  { wallet_id, recipient_id }: Payout,
): Promise<void> {
  // In mock mode the bank would have paid at once; out of it the money is in flight.
  await service.sandbox('POST /gateway/holds', { payouts: 1 });
  const made = await service.call('POST /wallets/fiat/{wallet_id}/withdrawals', {
    ...keyed(user, `withdraw-${run}`),
    status: 201,
    params: { wallet_id },
    body: { amount: '150000', recipient_id, note: 'Rent' },
    describe: (answer) => `${answer.text('data.amount')} IDR, fee ${answer.text('data.fee')}`,
  });
  const withdrawal_id = made.text('data.withdrawal_id');
  const until = (isThere: (shown: Shown) => boolean) =>
    service.until(
      'GET /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}',
      {
        as: user,
        params: { wallet_id, withdrawal_id },
        describe: (answer) => answer.text('data.status'),
      },
      ({ body }) => isThere((body as { data: Shown }).data),
    );
  await until(isAtBank);
  await service.sandbox(`POST /gateway/payouts/${withdrawal_id}/complete`);
  await until(({ status }) => status === 'COMPLETED');
}

interface Shown {
  readonly status: string;
  readonly provider_reference: string | null;
}

/** The bank has taken it; how it ends is not known yet. */
const isAtBank = ({ status, provider_reference }: Shown): boolean =>
  status === 'PROCESSING' && provider_reference !== null;

async function batch(service: Service, payer: Payer, { wallet_id, recipient_id }: Payout) {
  const { admin, colleague, friend, run } = payer;
  service.part('A batch of two payments, prepared by one admin and approved by the other');
  const theirs = await walletIn(service, friend, 'IDR');
  const items = [
    { recipient_id, amount: '100000', note: 'Salary', reference: `salary-${run}` },
    {
      recipient: { kind: 'wallet', name: 'A friend', details: { wallet_id: theirs } },
      amount: '50000',
      reference: `bonus-${run}`,
    },
  ];
  const draft = await service.call('POST /batches', {
    as: admin,
    status: 201,
    body: { name: 'Salaries', source_wallet_id: wallet_id, items },
    describe: (answer) => `${answer.number('data.count')} payments, ${answer.text('data.total')}`,
  });
  const params = { batch_id: draft.text('data.batch_id') };
  const act = async (verb: string, as: LoggedIn, read: typeof draft, status: number) =>
    service.call(`POST /batches/{batch_id}/${verb}`, {
      ...keyed(as, `${verb}-${as.user_id}-${run}`),
      status,
      params,
      body: {
        version: read.number('data.version'),
        content_hash: read.text('data.content_hash'),
      },
      describe: (answer) =>
        status === 200 ? answer.text('data.status') : answer.text('error.code'),
    });
  const submitted = await act('submit', admin, draft, 200);
  await act('approve', admin, submitted, 403);
  await service.sandbox('POST /gateway/holds', { payouts: 1 });
  await act('approve', colleague, submitted, 200);
  await paidOut(service, admin, params);
  const done = await service.until(
    'GET /batches/{batch_id}',
    { as: admin, params, describe: (answer) => answer.text('data.status') },
    (answer) => answer.text('data.status') === 'COMPLETED',
  );
  mustEqual('what the batch has paid', done.text('data.completed_total'), '150000.00');
}

/** The bank pays the first of them, as soon as it has it. */
async function paidOut(service: Service, admin: LoggedIn, params: { batch_id: string }) {
  const linesOf = (answer: { list(path: string): unknown[] }) =>
    answer.list('data.items') as (Shown & { line: number; item_id: string })[];
  const atBank = await service.until(
    'GET /batches/{batch_id}/items',
    {
      as: admin,
      params,
      describe: (answer) =>
        linesOf(answer)
          .map(({ status }) => status)
          .join(', '),
    },
    (answer) => linesOf(answer).some(isAtBank),
  );
  const item = linesOf(atBank).find(isAtBank);
  await service.sandbox(`POST /gateway/payouts/${item?.item_id}/complete`);
}
