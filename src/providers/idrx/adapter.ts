import type { BookLine, BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import { done, type Outcome } from '../../kernel/provider-call.ts';
import type { Gateway } from '../gateway/port.ts';
import { type IdrxAccess, type IdrxCall, idrxCaller } from './call.ts';
import { type HistoryType, historyPage, IDRX_TAKE } from './history.ts';
import { createIdrxPayment, expireIdrxPayment, findIdrxPayment, idrxReceipts } from './payments.ts';
import { createIdrxPayout, findIdrxPayout } from './payouts.ts';
import { MintRecord, mintLine, mintNews, RedeemRecord, redeemLine, redeemNews } from './wire.ts';

export interface IdrxSettings extends IdrxAccess {
  /** Where a payer is sent after paying. */
  returnUrl(): string;
}

/**
 * IDRX: issues and redeems its token itself. It knows no repetition by any key, so what became of a call
 * is looked up in its history, where our reference stands in a text of ours; nothing it calls back with
 * is signed.
 */
export function idrx(settings: IdrxSettings): Gateway {
  const { clock, returnUrl } = settings;
  const ask = idrxCaller(settings);
  const calls = { ask, clock, returnUrl };
  return {
    issuesToken: true,
    createPayment: (request) => createIdrxPayment(calls, request),
    findPayment: (reference, known) => findIdrxPayment(calls, reference, known),
    receipts: (reference, known) => idrxReceipts(calls, reference, known),
    expirePayment: (reference, known) => expireIdrxPayment(calls, reference, known),
    createPayout: (request) => createIdrxPayout(calls, request),
    findPayout: (reference, known) => findIdrxPayout(calls, reference, known),
    // It holds nothing for us: rupiah become its token at once.
    balance: async () => done(0n),
    statement: (window, after) => statement(ask, window, after),
    isGenuine: () => false,
    readPaymentNews: mintNews,
    readPayoutNews: redeemNews,
  };
}

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
