import { randomBytes } from 'node:crypto';
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
import { ALL_METHODS, type CreateInvoice, DAY_S } from './xendit-schema.ts';

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

/**
 * Makes one. An account may have many of one `external_id`, which is the merchant's own name for it: the first is kept
 * by that name, a later one by both. Cents are cut off, as rupiah have none there.
 */
export async function addInvoice(
  world: GatewayBooks,
  request: CreateInvoice,
): Promise<SimulatedInvoice> {
  const now = world.clock.now();
  const moment = now.toISOString();
  const seconds = Number(request.invoice_duration ?? DAY_S);
  const fresh: SimulatedInvoice = {
    id: randomBytes(12).toString('hex'),
    external_id: request.external_id,
    status: 'PENDING',
    amount: Math.trunc(request.amount),
    currency: 'IDR',
    description: request.description ?? '',
    payment_methods: request.payment_methods?.length ? request.payment_methods : ALL_METHODS,
    expiry_date: new Date(now.getTime() + seconds * 1000).toISOString(),
    created: moment,
    updated: moment,
  };
  const insert = (key: string) =>
    world.records.insert(SIMULATED_GATEWAY_PROVIDER, INVOICE, key, fresh);
  if (!(await insert(fresh.external_id))) await insert(laterKey(fresh));
  return fresh;
}

const laterKey = ({ external_id, id }: SimulatedInvoice): string => `${external_id}#${id}`;

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

/** By its own name, with the key that it is kept by. */
export async function invoiceById(
  world: GatewayWorld,
  id: string,
): Promise<{ readonly key: string; readonly invoice: SimulatedInvoice } | undefined> {
  const { records } = world;
  const found = await records.find<SimulatedInvoice>(SIMULATED_GATEWAY_PROVIDER, INVOICE, 'id', id);
  if (found === undefined) return undefined;
  const isFirst = (await invoiceOf(world, found.external_id))?.id === id;
  const key = isFirst ? found.external_id : laterKey(found);
  const invoice = await invoiceOf(world, key);
  return invoice && { key, invoice };
}

/** The newest first, of one `external_id` or of all. */
export async function listInvoices(
  world: GatewayWorld,
  limit: number,
  external_id?: string,
): Promise<SimulatedInvoice[]> {
  const listed = await world.records.list<SimulatedInvoice>(SIMULATED_GATEWAY_PROVIDER, INVOICE, {
    limit,
    where: external_id === undefined ? {} : { external_id },
  });
  const looked = await Promise.all(listed.map(({ id }) => invoiceById(world, id)));
  return looked.flatMap((one) => (one ? [one.invoice] : []));
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
  available_banks: banksOf(invoice),
  available_retail_outlets: [],
  available_ewallets: [],
  available_qr_codes: [],
  available_direct_debits: [],
  available_paylaters: [],
  should_send_email: false,
  client_type: 'API_GATEWAY',
});

const BANKS = ['BCA', 'BNI', 'BRI', 'MANDIRI', 'PERMATA', 'BSI', 'CIMB'];

/** A virtual account for each bank that may be used; made from the invoice, so that it stays the same. */
const banksOf = (invoice: SimulatedInvoice) =>
  invoice.payment_methods
    .filter((method) => BANKS.includes(method))
    .map((bank_code) => ({
      bank_code,
      collection_type: 'POOL',
      bank_account_number: virtualAccountOf(invoice, bank_code),
      transfer_amount: invoice.amount,
      bank_branch: 'Virtual Account',
      account_holder_name: 'ARCHIPAY SANDBOX',
      identity_amount: 0,
    }));

/** The number at a bank, which knows its own by the first digits. */
export const virtualAccountOf = ({ id }: Pick<SimulatedInvoice, 'id'>, bank: string): string =>
  `38${16 + BANKS.indexOf(bank)}${(BigInt(`0x${id}`) % 10n ** 12n).toString().padStart(12, '0')}`;

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
