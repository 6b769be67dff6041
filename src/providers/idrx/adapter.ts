import type { BookLine, BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import { done, type Outcome, refused } from '../../kernel/provider-call.ts';
import type { Gateway } from '../gateway/port.ts';
import { type IdrxAccess, type IdrxCall, idrxCaller } from './call.ts';
import { type HistoryType, historyPage, IDRX_TAKE } from './history.ts';
import {
  expireIdrxPayment,
  findIdrxMint,
  findIdrxPayment,
  idrxReceipts,
  type MintCalls,
  sellAtIdrx,
} from './payments.ts';
import { findIdrxPayout, redeemAtIdrx } from './payouts.ts';
import type { TokenVendor } from './port.ts';
import {
  MintRecord,
  mintLine,
  mintNotification,
  RedeemRecord,
  redeemLine,
  redeemNotification,
} from './wire.ts';

export interface IdrxSettings extends IdrxAccess {
  /** Where a payer is sent after paying. */
  returnUrl(): string;
}

/** IDRX as a vendor of its token, and what it tells of the payments and pay-outs of those sales. */
export interface Idrx {
  readonly vendor: TokenVendor;
  readonly gateway: Gateway;
}

/**
 * IDRX issues and redeems its token itself. It knows no repetition by any key, so that we look up in its history
 * what became of a call, by our reference in a text of ours; it signs no call-back.
 */
export function idrx(settings: IdrxSettings): Idrx {
  const { clock, returnUrl } = settings;
  const calls = { ask: idrxCaller(settings), clock, returnUrl };
  return { vendor: vendorOf(calls), gateway: gatewayOf(calls) };
}

const vendorOf = (calls: MintCalls): TokenVendor => ({
  sell: (request, sale) => sellAtIdrx(calls, request, sale),
  findMint: (reference, id) => findIdrxMint(calls, reference, id),
  redeem: (request, burnt) => redeemAtIdrx(calls, request, burnt),
  findRedemption: (reference, burnHash) => findIdrxPayout(calls, reference, burnHash),
});

/** It takes and pays rupiah for its token alone. */
const gatewayOf = (calls: MintCalls): Gateway => ({
  createPayment: async () => refused('MINT_REQUIRED', 'IDRX sells its token only', 400),
  findPayment: (reference, id) => findIdrxPayment(calls, reference, id),
  receipts: (reference, id) => idrxReceipts(calls, reference, id),
  expirePayment: (reference, id) => expireIdrxPayment(calls, reference, id),
  createPayout: async () => refused('BURN_REQUIRED', 'IDRX pays for its token only', 400),
  findPayout: (reference) => findIdrxPayout(calls, reference),
  // It holds nothing for us: rupiah become its token at once.
  balance: async () => done(0n),
  statement: (window, after) => statement(calls.ask, window, after),
  isGenuine: () => false,
  readPaymentNotification: mintNotification,
  // It has no question for that.
  holderOf: async () => done('undisclosed' as const),
  readPayoutNotification: redeemNotification,
});

/** All mints, then all redemptions: `after` is the page that comes next, as `BURN-2`. */
async function statement(
  ask: IdrxCall,
  window: BookWindow,
  after = 'MINT-1',
): Promise<Outcome<BookPage>> {
  const [type = '', number = '1'] = after.split('-');
  const isMint = type === 'MINT';
  const page = { type: (isMint ? 'MINT' : 'BURN') as HistoryType, page: Number(number) };
  const answer = isMint
    ? await linesOf(historyPage(ask, MintRecord, page), mintLine)
    : await linesOf(historyPage(ask, RedeemRecord, page), redeemLine);
  if (answer.kind !== 'done') return answer;
  const lines = answer.value.lines.filter(({ at }) => at >= window.from && at < window.to);
  if (answer.value.count === IDRX_TAKE) return done({ lines, next: `${type}-${page.page + 1}` });
  return done(isMint ? { lines, next: 'BURN-1' } : { lines });
}

async function linesOf<R>(
  answer: Promise<Outcome<readonly R[]>>,
  lineOf: (record: R) => BookLine | undefined,
): Promise<Outcome<{ lines: BookLine[]; count: number }>> {
  const page = await answer;
  if (page.kind !== 'done') return page;
  const lines = page.value.map(lineOf).filter((line) => line !== undefined);
  return done({ lines, count: page.value.length });
}
