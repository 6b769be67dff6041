import { done, type Outcome, refused, unknown } from '#kernel/provider-call.ts';
import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import type {
  AccountHolder,
  BankAccount,
  Gateway,
  GatewayPayment,
  PaymentReceipt,
  PaymentRequest,
  Payout,
  PayoutRequest,
} from '#providers/gateway/port.ts';
import { bookPage, statementQuery } from '#providers/gateway/xendit-statement.ts';
import {
  CENTS,
  CHANNELS,
  paymentOf,
  rupiahOf,
  payoutOf as shownPayout,
  xenditUnitsOf,
} from '#providers/gateway/xendit-wire.ts';
import { holderOfAccount } from '../bank-host/simulated-holders.ts';
import { offlinePaymentNotification, offlinePayoutNotification } from './offline-notifications.ts';
import {
  type GatewayBooks,
  paymentsOf,
  SIMULATED_GATEWAY_PROVIDER,
  simulatedGatewayBalanceOf,
} from './simulated-account.ts';
import { takeHold } from './simulated-holds.ts';
import {
  addInvoice,
  expireInvoice,
  lookAtInvoice,
  payInvoice,
  type SimulatedInvoice,
  shownInvoice,
} from './simulated-invoices.ts';
import { endPayout, ensurePayout, simulatedGatewayPayoutOf } from './simulated-payouts.ts';
import { gatewayStatementPage } from './simulated-statement.ts';

export interface OfflineSettings extends GatewayBooks {
  /** Whose page shows a payment. */
  sandboxUrl(): string;
  /** The money is at that account from now on, in whole rupiah: in the transaction that pays out. */
  arrive(books: GatewayBooks, to: BankAccount, reference: string, amount: number): Promise<void>;
}

/**
 * The gateway of mock mode: no gateway is called. What is asked for is paid, or paid out, as it is asked for, in
 * the books that the sandbox shows, unless a control of the sandbox holds it.
 */
export const offlineGateway = (settings: OfflineSettings): Gateway => ({
  createPayment: (request) => createPayment(settings, request),
  findPayment: async (reference) => found(settings, await look(settings, reference)),
  receipts: (reference) => receipts(settings, reference),
  expirePayment: (reference) => expirePayment(settings, reference),
  createPayout: (request) => createPayout(settings, request),
  findPayout: async (reference) => {
    const payout = await simulatedGatewayPayoutOf(settings, reference);
    return done(payout && shownPayout(payout));
  },
  holderOf: async (account) => done(await holderFor(settings, account)),
  balance: async () => done(BigInt(await simulatedGatewayBalanceOf(settings.records)) * 100n),
  statement: (window, after) => statement(settings, window, after),
  offline: {
    simulatePayment: (reference, status) => simulatePayment(settings, reference, status),
    simulatePayout: (reference, status) => simulatePayout(settings, reference, status),
  },
  isGenuine: () => true,
  readPaymentNotification: offlinePaymentNotification,
  readPayoutNotification: offlinePayoutNotification,
});

/** An account without a set holder is in the name that is asked for. */
async function holderFor(
  { records }: OfflineSettings,
  { accountNumber, accountName }: BankAccount,
): Promise<AccountHolder> {
  const holder = await holderOfAccount(records, accountNumber);
  if (holder === undefined) return { name: accountName };
  return holder.name === null ? 'undisclosed' : { name: holder.name };
}

const INVOICE = 'invoice';
const PAYOUT = 'payout';

/** Answered as it was asked for, PENDING; it is paid by then, unless it waits for its payer. */
async function createPayment(
  settings: OfflineSettings,
  { reference, units, method, expiresAt, description, waits }: PaymentRequest,
): Promise<Outcome<GatewayPayment>> {
  const { records, clock } = settings;
  const amount = rupiahOf(units);
  if (amount === undefined) return CENTS;
  const seconds = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000);
  if (seconds < 1) return refused('EXPIRED', 'The time to pay is over', 400);
  const invoice = await records.exclusively(
    SIMULATED_GATEWAY_PROVIDER,
    INVOICE,
    reference,
    async (own) => {
      const books = { records: own, clock };
      const { invoice: known } = await lookAtInvoice(books, reference);
      if (known) return known;
      const made = await addInvoice(books, {
        external_id: reference,
        amount,
        currency: 'IDR',
        description,
        invoice_duration: seconds,
        payment_methods: [...CHANNELS[method]],
      });
      if (!waits && !(await takeHold(own, 'payments'))) await payInvoice(books, reference);
      return made;
    },
  );
  const payment = invoice && paymentOf(shownInvoice(settings, invoice));
  return payment ? done({ ...payment, status: 'PENDING', units }) : unknown('Another payment');
}

const look = async (books: GatewayBooks, reference: string) =>
  (await lookAtInvoice(books, reference)).invoice;

const found = (
  settings: OfflineSettings,
  invoice: SimulatedInvoice | undefined,
): Outcome<GatewayPayment | undefined> =>
  done(invoice && paymentOf(shownInvoice(settings, invoice)));

async function receipts(
  { records }: GatewayBooks,
  reference: string,
): Promise<Outcome<readonly PaymentReceipt[]>> {
  const entries = await paymentsOf(records, reference);
  return done(
    entries.toReversed().map(({ id: line, product_id: id, amount, updated }) => ({
      id,
      line,
      units: xenditUnitsOf(amount) ?? 0n,
      at: new Date(updated),
    })),
  );
}

async function expirePayment(
  settings: OfflineSettings,
  reference: string,
): Promise<Outcome<GatewayPayment>> {
  await expireInvoice(settings, reference);
  const payment = found(settings, await look(settings, reference));
  if (payment.kind !== 'done') return payment;
  return payment.value
    ? done(payment.value)
    : refused('INVOICE_NOT_FOUND_ERROR', 'There is no such payment', 404);
}

async function createPayout(
  settings: OfflineSettings,
  { reference, units, to, description }: PayoutRequest,
): Promise<Outcome<Payout>> {
  const { records, clock } = settings;
  const amount = rupiahOf(units);
  if (amount === undefined) return CENTS;
  const payout = await records.exclusively(
    SIMULATED_GATEWAY_PROVIDER,
    PAYOUT,
    reference,
    async (own) => {
      const books = { records: own, clock };
      const known = await simulatedGatewayPayoutOf(books, reference);
      const made = await ensurePayout(books, {
        reference_id: reference,
        channel_code: `ID_${to.bankCode}`,
        channel_properties: {
          account_number: to.accountNumber,
          account_holder_name: to.accountName,
        },
        amount,
        currency: 'IDR',
        description,
      });
      if (made === undefined || known || (await takeHold(own, 'payouts'))) return made;
      await settings.arrive(books, to, reference, amount);
      return endPayout(books, reference, 'complete');
    },
  );
  const shown = payout && shownPayout(payout);
  return shown ? done(shown) : unknown('Another pay-out has this reference');
}

async function statement(
  { records }: GatewayBooks,
  window: BookWindow,
  after?: string,
): Promise<Outcome<BookPage>> {
  return bookPage(await gatewayStatementPage({ records }, statementQuery(window, after)));
}

/** One that is over can still be paid, too late; the same payment twice counts once. */
async function simulatePayment(
  { records, clock }: GatewayBooks,
  reference: string,
  status: GatewayPayment['status'],
): Promise<void> {
  if (status === 'EXPIRED') await expireInvoice({ records, clock }, reference);
  if (status !== 'PAID') return;
  await records.exclusively(SIMULATED_GATEWAY_PROVIDER, INVOICE, reference, async (own) => {
    if ((await paymentsOf(own, reference)).length > 0) return;
    const invoice = await look({ records: own, clock }, reference);
    if (invoice) await payInvoice({ records: own, clock }, reference, invoice.amount);
  });
}

async function simulatePayout(
  books: GatewayBooks,
  reference: string,
  status: Payout['status'],
): Promise<void> {
  if (status === 'COMPLETED') await endPayout(books, reference, 'complete');
  if (status !== 'FAILED') return;
  const failed = await endPayout(books, reference, 'fail');
  if (!failed) await endPayout(books, reference, 'reverse');
}
