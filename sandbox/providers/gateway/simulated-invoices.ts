import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { InvoiceRequest } from '#providers/gateway/xendit-wire.ts';
import {
  addEntry,
  addToBalance,
  BUSINESS_ID,
  type GatewayBooks,
  type GatewayWorld,
  SIMULATED_GATEWAY_PREFIX,
  SIMULATED_GATEWAY_PROVIDER,
  tell,
} from './simulated-account.ts';

const INVOICE = 'invoice';
const CATEGORY: Readonly<Record<string, string>> = { QRIS: 'QR_CODE', BCA: 'VIRTUAL_ACCOUNT' };
const PAID_BY: Readonly<Record<string, string>> = { QRIS: 'QR_CODE', BCA: 'BANK_TRANSFER' };

export interface SimulatedInvoice {
  readonly id: string;
  readonly external_id: string;
  readonly status: 'PENDING' | 'PAID' | 'EXPIRED';
  readonly amount: number;
  readonly currency: 'IDR';
  readonly description: string;
  readonly payment_methods: readonly string[];
  readonly expiry_date: string;
  readonly created: string;
  readonly updated: string;
  readonly paid_amount?: number;
  readonly paid_at?: string;
}

/** The invoice of that reference, made now or before; nothing where that one is another. */
export async function ensureInvoice(
  world: GatewayBooks,
  request: Static<typeof InvoiceRequest>,
): Promise<SimulatedInvoice | undefined> {
  const { invoice_duration, external_id, amount, currency, description, payment_methods } = request;
  const now = world.clock.now();
  const moment = now.toISOString();
  const fresh: SimulatedInvoice = {
    id: randomBytes(12).toString('hex'),
    external_id,
    status: 'PENDING',
    amount,
    currency,
    description,
    payment_methods,
    expiry_date: new Date(now.getTime() + invoice_duration * 1000).toISOString(),
    created: moment,
    updated: moment,
  };
  if (await world.records.insert(SIMULATED_GATEWAY_PROVIDER, INVOICE, external_id, fresh))
    return fresh;
  const kept = await world.records.get<SimulatedInvoice>(
    SIMULATED_GATEWAY_PROVIDER,
    INVOICE,
    external_id,
  );
  const isSame = kept?.amount === amount && kept.payment_methods.join() === payment_methods.join();
  return isSame ? kept : undefined;
}

/** By our reference. One whose time is over lapses as it is looked at, and the service is called back. */
export async function invoiceOf(
  world: GatewayWorld,
  reference: string,
): Promise<SimulatedInvoice | undefined> {
  const { invoice, hasLapsed } = await lookAtInvoice(world, reference);
  if (invoice && hasLapsed) void callBackOfInvoice(world, invoice);
  return invoice;
}

/** The same without a call-back: says whether this look has ended it. */
export async function lookAtInvoice(
  books: GatewayBooks,
  reference: string,
): Promise<{ readonly invoice: SimulatedInvoice | undefined; readonly hasLapsed: boolean }> {
  const read = () =>
    books.records.get<SimulatedInvoice>(SIMULATED_GATEWAY_PROVIDER, INVOICE, reference);
  const kept = await read();
  const isOver = kept?.status === 'PENDING' && kept.expiry_date <= books.clock.now().toISOString();
  if (!isOver) return { invoice: kept, hasLapsed: false };
  const lapsed = await expireInvoice(books, reference);
  return { invoice: lapsed ?? (await read()), hasLapsed: lapsed !== undefined };
}

/** By its own name. */
export async function invoiceById(
  world: GatewayWorld,
  id: string,
): Promise<SimulatedInvoice | undefined> {
  const found = await world.records.find<SimulatedInvoice>(
    SIMULATED_GATEWAY_PROVIDER,
    INVOICE,
    'id',
    id,
  );
  return found && invoiceOf(world, found.external_id);
}

/** Nothing when it is not to be paid any more. */
export function expireInvoice(
  world: GatewayBooks,
  reference: string,
): Promise<SimulatedInvoice | undefined> {
  const updated = world.clock.now().toISOString();
  return world.records.update<SimulatedInvoice>(
    SIMULATED_GATEWAY_PROVIDER,
    INVOICE,
    reference,
    (invoice) =>
      invoice.status === 'PENDING' ? { ...invoice, status: 'EXPIRED', updated } : undefined,
  );
}

/**
 * A payer pays, as much as the invoice asks for unless an amount is given. With an amount a virtual account or code
 * can be paid too late or once more, too: that is a payment of its own, which leaves the invoice as it is. Nothing
 * where it is not to be paid any more and no amount is given.
 */
export function payInvoice(
  world: GatewayBooks,
  reference: string,
  paid?: number,
): Promise<SimulatedInvoice | undefined> {
  const now = world.clock.now();
  const updated = now.toISOString();
  return world.records.atomic(async (records) => {
    const first = await records.update<SimulatedInvoice>(
      SIMULATED_GATEWAY_PROVIDER,
      INVOICE,
      reference,
      (kept) =>
        kept.status === 'PENDING'
          ? { ...kept, status: 'PAID', paid_amount: paid ?? kept.amount, paid_at: updated, updated }
          : undefined,
    );
    const invoice =
      first ??
      (await records.get<SimulatedInvoice>(SIMULATED_GATEWAY_PROVIDER, INVOICE, reference));
    if (invoice === undefined || (!first && paid === undefined)) return undefined;
    const amount = paid ?? invoice.amount;
    const product = first ? invoice.id : `py-${randomBytes(12).toString('hex')}`;
    await addToBalance(records, amount);
    await addEntry(records, paymentEntry(invoice, product, amount), now);
    return invoice;
  });
}

const paymentEntry = (invoice: SimulatedInvoice, product_id: string, amount: number) => {
  const channel = channelOf(invoice);
  return {
    product_id,
    type: 'PAYMENT',
    channel_category: CATEGORY[channel] ?? 'EWALLET',
    channel_code: channel,
    reference_id: invoice.external_id,
    account_identifier: null,
    amount,
    cashflow: 'MONEY_IN',
  } as const;
};

/** The way to pay that the page offers. */
export const channelOf = ({ payment_methods: [first = 'QRIS'] }: SimulatedInvoice): string => first;

/** As the endpoints of the gateway answer it. */
export const shownInvoice = (
  world: Pick<GatewayWorld, 'sandboxUrl'>,
  invoice: SimulatedInvoice,
) => ({
  ...invoice,
  user_id: BUSINESS_ID,
  is_high: false,
  merchant_name: 'Archipay sandbox',
  merchant_profile_picture_url: '',
  invoice_url: `${world.sandboxUrl()}${SIMULATED_GATEWAY_PREFIX}/web/invoices/${invoice.id}`,
  available_banks: [],
  available_retail_outlets: [],
  available_ewallets: [],
  available_qr_codes: [],
  available_direct_debits: [],
  available_paylaters: [],
  should_send_email: false,
  client_type: 'API_GATEWAY',
});

/** Calls the service back; answers whether it took it. */
export function callBackOfInvoice(
  world: GatewayWorld,
  invoice: SimulatedInvoice,
): Promise<boolean> {
  const { payment_methods: _methods, expiry_date: _expiry, ...told } = invoice;
  const channel = channelOf(invoice);
  const paid =
    invoice.status === 'PAID'
      ? { payment_method: PAID_BY[channel] ?? 'EWALLET', payment_channel: channel }
      : {};
  return tell(world, '/idrtoken/callback/payment', {
    ...told,
    user_id: BUSINESS_ID,
    is_high: false,
    merchant_name: 'Archipay sandbox',
    ...paid,
  });
}
