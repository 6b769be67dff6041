import { balanceOf, keyed, type Pair, walletIn } from './between-people.ts';
import { mustEqual, type Service, UnexpectedResponse } from './service.ts';

const DAY_MS = 86_400_000;

/** The days of the run as a bank would state them: to be read by a program, and to be printed. */
export async function statementOfDays(service: Service, { user }: Pair): Promise<void> {
  service.part('A statement of the wallet, as JSON and as a PDF');
  const wallet_id = await walletIn(service, user, 'USD');
  const clock = await service.sandbox('GET /clock');
  const now = Date.parse(clock.text('now'));
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  // From the day before, as a run may have begun before midnight.
  const days = { from: day(now - DAY_MS), to: day(now), time_zone: 'UTC' };
  const call = { as: user, params: { wallet_id } };
  const stated = await service.call('GET /wallets/fiat/{wallet_id}/statement', {
    ...call,
    query: { ...days, format: 'json' },
    describe: (answer) =>
      `${answer.list('data.entries').length} entries, ${answer.text('data.closing_balance')} USD`,
  });
  const balance = await balanceOf(service, user, 'USD');
  mustEqual('the closing balance', stated.text('data.closing_balance'), balance);
  const { body } = await service.call('GET /wallets/fiat/{wallet_id}/statement', {
    ...call,
    query: { ...days, format: 'pdf' },
    describe: ({ body }) => String(body).slice(0, 8),
  });
  if (!String(body).startsWith('%PDF-')) throw new UnexpectedResponse('The statement is no PDF');
}

/** One asks for money by an invoice, the other pays it from a wallet. */
export async function paidInvoice(service: Service, { user, friend, run }: Pair): Promise<void> {
  service.part('An invoice, paid from a wallet');
  const invoice = await service.call('POST /payment-gateway/invoices', {
    as: friend,
    status: 201,
    body: { amount: '20.00', currency: 'USD', description: `Order ${run}` },
    describe: (answer) => `${answer.text('data.to_pay')} USD, ${answer.text('data.status')}`,
  });
  const params = { invoice_id: invoice.text('data.invoice_id') };
  const from_wallet_id = await walletIn(service, user, 'USD');
  await service.call('POST /payment-gateway/invoices/{invoice_id}/pay', {
    ...keyed(user, `pay-${run}`),
    status: 201,
    params,
    body: { from_wallet_id },
    describe: (answer) => `${answer.text('data.amount')} USD, ${answer.text('data.status')}`,
  });
  const paid = await service.call('GET /payment-gateway/invoices/{invoice_id}', {
    as: friend,
    params,
    describe: (answer) => `${answer.text('data.paid_amount')} USD, ${answer.text('data.status')}`,
  });
  mustEqual('the invoice', paid.text('data.status'), 'PAID');
  const { searchParams } = new URL(paid.text('data.checkout_url'));
  const { body: page } = await service.call('GET /payment-gateway/checkout/{invoice_id}', {
    params,
    query: { key: searchParams.get('key') ?? '', lang: 'en' },
    describe: ({ body }) => headingOf(body),
  });
  mustEqual('the page of the invoice', headingOf(page), 'Payment received');
}

const headingOf = (page: unknown): string => /<h1[^>]*>([^<]*)/.exec(String(page))?.[1] ?? '';
