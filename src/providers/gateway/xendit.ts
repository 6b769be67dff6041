import type { Static } from 'typebox';
import type { Clock } from '#kernel/clock.ts';
import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { done, type Outcome, unknown } from '../provider.ts';
import type { Gateway } from './port.ts';
import { type Ask, asker, type XenditAccess } from './xendit-call.ts';
import { createPayment, expirePayment, findPayment } from './xendit-payments.ts';
import { createPayout, findPayout } from './xendit-payouts.ts';
import {
  Balance,
  lineOf,
  paymentNews,
  payoutNews,
  TransactionPage,
  unitsOf,
} from './xendit-wire.ts';

export interface XenditSettings extends XenditAccess {
  /** What its call-backs carry as `x-callback-token`. */
  readonly callbackToken: string;
  readonly clock: Clock;
}

const STATEMENT_PAGE = 50;

/** Xendit: invoices of one way to pay, whose page is the payment page; payouts; transactions. */
export function xendit(settings: XenditSettings): Gateway {
  const { callbackToken, clock } = settings;
  const ask = asker(settings);
  return {
    issuesToken: false,
    createPayment: (request) => createPayment(ask, clock, request),
    findPayment: (reference) => findPayment(ask, reference),
    expirePayment: (reference) => expirePayment(ask, reference),
    createPayout: (request) => createPayout(ask, request),
    findPayout: (reference) => findPayout(ask, reference),
    balance: () => balance(ask),
    statement: (window, after) => statement(ask, window, after),
    isGenuine: (headers) =>
      callbackToken !== '' && sameSecret(String(headers['x-callback-token'] ?? ''), callbackToken),
    readPaymentNews: paymentNews,
    readPayoutNews: payoutNews,
  };
}

async function balance(ask: Ask): Promise<Outcome<bigint>> {
  const path = '/balance?account_type=CASH&currency=IDR';
  const answer = await ask(Balance, { name: 'balance', method: 'GET', path });
  if (answer.kind !== 'done') return answer;
  const units = unitsOf(answer.value.balance);
  return units === undefined ? unknown('a balance that is no amount') : done(units);
}

async function statement(
  ask: Ask,
  { from, to }: BookWindow,
  after?: string,
): Promise<Outcome<BookPage>> {
  const query = new URLSearchParams({
    currency: 'IDR',
    statuses: 'SUCCESS',
    limit: `${STATEMENT_PAGE}`,
    'updated[gte]': from.toISOString(),
    // Theirs is inclusive, and counts in milliseconds.
    'updated[lte]': new Date(to.getTime() - 1).toISOString(),
    ...(after === undefined ? {} : { after_id: after }),
  });
  for (const type of ['PAYMENT', 'DISBURSEMENT']) query.append('types', type);
  const path = `/transactions?${query}`;
  const page = await ask(TransactionPage, { name: 'transactions', method: 'GET', path });
  return page.kind === 'done' ? bookPage(page.value) : page;
}

function bookPage({ data, has_more }: Static<typeof TransactionPage>): Outcome<BookPage> {
  const lines = data.map(lineOf).filter((line) => line !== undefined);
  if (lines.length < data.length) return unknown('a line that is not understood');
  const last = data.at(-1);
  if (has_more && last === undefined) return unknown('a page without an end');
  return done(has_more && last ? { lines, next: last.id } : { lines });
}
