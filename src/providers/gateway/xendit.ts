import type { Clock } from '#kernel/clock.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import type { Gateway } from './port.ts';
import { type XenditAccess, type XenditCall, xenditCaller } from './xendit-call.ts';
import { holderAtBank } from './xendit-holders.ts';
import { createPayment, expirePayment, findPayment } from './xendit-payments.ts';
import { createPayout, findPayout } from './xendit-payouts.ts';
import { statement, xenditReceipts } from './xendit-statement.ts';
import {
  paymentNotification,
  payoutNotification,
  XenditBalance,
  xenditUnitsOf,
} from './xendit-wire.ts';

export interface XenditSettings extends XenditAccess {
  /** What its call-backs carry as `x-callback-token`. */
  readonly callbackToken: string;
  readonly clock: Clock;
}

/** Xendit: invoices of one way to pay, whose page is the payment page; payouts; transactions. */
export function xendit(settings: XenditSettings): Gateway {
  const { callbackToken, clock } = settings;
  const ask = xenditCaller(settings);
  return {
    createPayment: (request) => createPayment(ask, clock, request),
    findPayment: (reference) => findPayment(ask, reference),
    receipts: (reference) => xenditReceipts(ask, reference),
    expirePayment: (reference) => expirePayment(ask, reference),
    createPayout: (request) => createPayout(ask, request),
    findPayout: (reference) => findPayout(ask, reference),
    holderOf: (account) => holderAtBank(ask, account),
    balance: () => balance(ask),
    statement: (window, after) => statement(ask, window, after),
    isGenuine: (headers) =>
      callbackToken !== '' && sameSecret(String(headers['x-callback-token'] ?? ''), callbackToken),
    readPaymentNotification: paymentNotification,
    readPayoutNotification: payoutNotification,
  };
}

async function balance(ask: XenditCall): Promise<Outcome<bigint>> {
  const path = '/balance?account_type=CASH&currency=IDR';
  const answer = await ask(XenditBalance, { name: 'balance', method: 'GET', path });
  if (answer.kind !== 'done') return answer;
  const units = xenditUnitsOf(answer.value.balance);
  return units === undefined ? unknown('a balance that is no amount') : done(units);
}
