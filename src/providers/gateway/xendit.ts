import { Buffer } from 'node:buffer';
import { type Static, type TSchema, Type } from 'typebox';
import type { Clock } from '#kernel/clock.ts';
import type { BookLine, BookPage } from '#kernel/reconciliation/rail.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { callHttp, done, type Outcome, refused, unknown } from '../provider.ts';
import { createOnce } from './create-once.ts';
import type { Gateway, Payment, PaymentRequest, Payout, PayoutRequest } from './port.ts';
import {
  Balance,
  CHANNELS,
  Invoice,
  lineOf,
  paymentNews,
  paymentOf,
  payoutNews,
  payoutOf,
  readReply,
  rupiahOf,
  TransactionPage,
  unitsOf,
  WirePayout,
} from './xendit-wire.ts';

export interface XenditSettings {
  /** `https://api.xendit.co`. */
  url(): string;
  /** The secret key, with leave to move money in and out. */
  readonly key: string;
  /** What its call-backs carry as `x-callback-token`. */
  readonly callbackToken: string;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

const STATEMENT_PAGE = 50;
const Invoices = Type.Array(Invoice);
/** An array by the reference, a page by their libraries. */
const Payouts = Type.Union([Type.Array(WirePayout), Type.Object({ data: Type.Array(WirePayout) })]);

/** Xendit: invoices of one way to pay, whose page is the payment page; payouts; transactions. */
export function xendit(settings: XenditSettings): Gateway {
  const ask = asker(settings);
  const payments = paymentCalls(ask, settings.clock);
  const payouts = payoutCalls(ask);
  return {
    issuesToken: false,
    ...payments,
    ...payouts,

    async balance() {
      const path = '/balance?account_type=CASH&currency=IDR';
      const answer = await ask(Balance, { name: 'balance', method: 'GET', path });
      if (answer.kind !== 'done') return answer;
      const units = unitsOf(answer.value.balance);
      return units === undefined ? unknown('a balance that is no amount') : done(units);
    },

    async statement({ from, to }, after) {
      const query = new URLSearchParams({
        currency: 'IDR',
        limit: `${STATEMENT_PAGE}`,
        'updated[gte]': from.toISOString(),
        // Theirs is inclusive, and counts in milliseconds.
        'updated[lte]': new Date(to.getTime() - 1).toISOString(),
        ...(after === undefined ? {} : { after_id: after }),
      });
      for (const type of ['PAYMENT', 'DISBURSEMENT']) query.append('types', type);
      query.append('statuses', 'SUCCESS');
      const path = `/transactions?${query}`;
      const page = await ask(TransactionPage, { name: 'transactions', method: 'GET', path });
      return page.kind === 'done' ? bookPage(page.value) : page;
    },

    isGenuine: (headers) =>
      settings.callbackToken !== '' &&
      sameSecret(String(headers['x-callback-token'] ?? ''), settings.callbackToken),
    readPaymentNews: paymentNews,
    readPayoutNews: payoutNews,
  };
}

type Ask = ReturnType<typeof asker>;

function asker({ url, key, timeoutMs }: XenditSettings) {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  return async <S extends TSchema>(schema: S, call: Call): Promise<Outcome<Static<S>>> => {
    const { name, method, path, body, idempotencyKey } = call;
    const reply = await callHttp({
      name: `gateway ${name}`,
      method,
      url: `${url()}${path}`,
      headers: {
        authorization,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return readReply(schema, reply);
  };
}

const CENTS = refused('AMOUNT_NOT_WHOLE', 'The payment gateway takes whole rupiah only', 400);
const STRANGE = 'an answer that is not understood';

function paymentCalls(ask: Ask, clock: Clock) {
  const find = async (reference: string): Promise<Outcome<Payment | undefined>> => {
    const query = new URLSearchParams({ external_id: reference });
    const path = `/v2/invoices?${query}`;
    const listed = await ask(Invoices, { name: 'find invoice', method: 'GET', path });
    if (listed.kind !== 'done') return listed;
    const own = listed.value.filter(({ external_id }) => external_id === reference);
    if (own.length === 0)
      return listed.value.length === 0 ? done(undefined) : unknown('answered other invoices');
    const known = own.map(paymentOf);
    return known.some((one) => one === undefined)
      ? unknown(STRANGE)
      : done(foremost(known as Payment[]));
  };

  const create = async (request: PaymentRequest, amount: number): Promise<Outcome<Payment>> => {
    const { reference, method, expiresAt, description } = request;
    const seconds = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000);
    if (seconds < 1) return refused('EXPIRED', 'The time to pay is over', 400);
    const body = {
      external_id: reference,
      amount,
      currency: 'IDR',
      description,
      invoice_duration: seconds,
      payment_methods: CHANNELS[method],
    };
    const path = '/v2/invoices';
    const call = {
      name: 'create invoice',
      method: 'POST',
      path,
      idempotencyKey: reference,
    } as const;
    const made = await ask(Invoice, { ...call, body });
    return made.kind === 'done' ? understood(paymentOf(made.value)) : made;
  };

  return {
    findPayment: find,

    async createPayment(request: PaymentRequest): Promise<Outcome<Payment>> {
      const amount = rupiahOf(request.units);
      if (amount === undefined) return CENTS;
      return createOnce({
        create: () => create(request, amount),
        find: () => find(request.reference),
        isThis: ({ reference, units, status }) =>
          reference === request.reference && (status === 'PAID' || units === request.units),
      });
    },

    /** Every one of the reference: an answer that got lost may have left a second one behind. */
    async expirePayment(reference: string): Promise<Outcome<Payment>> {
      for (let round = 1; ; round += 1) {
        const found = await find(reference);
        if (found.kind !== 'done') return found;
        const payment = found.value;
        if (payment === undefined)
          return refused('INVOICE_NOT_FOUND_ERROR', 'There is no such payment', 404);
        if (payment.status !== 'PENDING') return done(payment);
        if (round > EXPIRE_ROUNDS) return unknown('it can still be paid');
        const path = `/invoices/${encodeURIComponent(payment.id)}/expire!`;
        const ended = await ask(Invoice, { name: 'expire invoice', method: 'POST', path });
        if (ended.kind === 'unknown') return ended;
      }
    },
  };
}

const EXPIRE_ROUNDS = 5;

/** The paid one; else one that can still be paid, the oldest; else any. Theirs come newest first. */
function foremost(payments: readonly Payment[]): Payment | undefined {
  const oldestFirst = payments.toReversed();
  const first = (status: Payment['status']) => oldestFirst.find((one) => one.status === status);
  return first('PAID') ?? first('PENDING') ?? first('EXPIRED');
}

function payoutCalls(ask: Ask) {
  const list = async (reference: string): Promise<Outcome<WirePayout | undefined>> => {
    const query = new URLSearchParams({ reference_id: reference });
    const path = `/v2/payouts?${query}`;
    const listed = await ask(Payouts, { name: 'find payout', method: 'GET', path });
    if (listed.kind !== 'done') return listed;
    const all = Array.isArray(listed.value) ? listed.value : listed.value.data;
    const own = all.filter(({ reference_id }) => reference_id === reference);
    if (own.length > 1) return unknown('answered two pay-outs of one reference');
    if (own[0] === undefined && all.length > 0) return unknown('answered other pay-outs');
    return done(own[0]);
  };

  const create = async ({ reference, to, description }: PayoutRequest, amount: number) => {
    const body = {
      reference_id: reference,
      channel_code: `ID_${to.bankCode}`,
      channel_properties: {
        account_number: to.accountNumber,
        account_holder_name: to.accountName,
      },
      amount,
      currency: 'IDR',
      description,
    };
    const path = '/v2/payouts';
    const call = {
      name: 'create payout',
      method: 'POST',
      path,
      idempotencyKey: reference,
    } as const;
    return ask(WirePayout, { ...call, body });
  };

  return {
    async findPayout(reference: string): Promise<Outcome<Payout | undefined>> {
      const found = await list(reference);
      if (found.kind !== 'done' || found.value === undefined) return found as Outcome<undefined>;
      return understood(payoutOf(found.value));
    },

    async createPayout(request: PayoutRequest): Promise<Outcome<Payout>> {
      const amount = rupiahOf(request.units);
      if (amount === undefined) return CENTS;
      const made = await createOnce<WirePayout>({
        create: () => create(request, amount),
        find: () => list(request.reference),
        isThis: (payout) =>
          payout.reference_id === request.reference &&
          unitsOf(payout.amount) === request.units &&
          (payout.channel_properties?.account_number ?? request.to.accountNumber) ===
            request.to.accountNumber,
      });
      return made.kind === 'done' ? understood(payoutOf(made.value)) : made;
    },
  };
}

const understood = <T>(value: T | undefined): Outcome<T> =>
  value === undefined ? unknown(STRANGE) : done(value);

function bookPage({ data, has_more }: Static<typeof TransactionPage>): Outcome<BookPage> {
  const lines = data.map(lineOf);
  if (lines.some((line) => line === undefined)) return unknown('a line that is not understood');
  const last = data.at(-1);
  if (has_more && last === undefined) return unknown('a page without an end');
  const page = { lines: lines as BookLine[] };
  return done(has_more && last ? { ...page, next: last.id } : page);
}
