import type { Static } from 'typebox';
import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import type { PaymentReceipt } from './port.ts';
import { STRANGE, type XenditCall } from './xendit-call.ts';
import { lineOf, TransactionPage } from './xendit-wire.ts';

const STATEMENT_PAGE = 50;
/** More payments under one reference are left to a person. */
const RECEIPT_PAGES = 20;

/** Successful transactions of that window, by the time of success. */
export const statementQuery = ({ from, to }: BookWindow, after?: string) => ({
  currency: 'IDR',
  statuses: 'SUCCESS',
  limit: `${STATEMENT_PAGE}`,
  'updated[gte]': from.toISOString(),
  // Xendit's window is inclusive, in milliseconds.
  'updated[lte]': new Date(to.getTime() - 1).toISOString(),
  ...(after === undefined ? {} : { after_id: after }),
  types: ['PAYMENT', 'DISBURSEMENT'],
});

export async function statement(
  ask: XenditCall,
  window: BookWindow,
  after?: string,
): Promise<Outcome<BookPage>> {
  const page = await pageOf(ask, statementQuery(window, after));
  return page.kind === 'done' ? bookPage(page.value) : page;
}

export function bookPage({ data, has_more }: Static<typeof TransactionPage>): Outcome<BookPage> {
  const lines = data.map(lineOf).filter((line) => line !== undefined);
  if (lines.length < data.length) return unknown('a line that is not understood');
  const last = data.at(-1);
  if (has_more && last === undefined) return unknown('a page without an end');
  return done(has_more && last ? { lines, next: last.id } : { lines });
}

/** Each payment once: the statement may have two lines of it. */
export async function xenditReceipts(
  ask: XenditCall,
  reference: string,
): Promise<Outcome<readonly PaymentReceipt[]>> {
  const all = new Map<string, PaymentReceipt>();
  let after: string | undefined;
  for (let page = 0; page < RECEIPT_PAGES; page += 1) {
    const asked = await pageOf(ask, {
      currency: 'IDR',
      statuses: 'SUCCESS',
      types: ['PAYMENT'],
      reference_id: reference,
      limit: `${STATEMENT_PAGE}`,
      ...(after === undefined ? {} : { after_id: after }),
    });
    if (asked.kind !== 'done') return asked;
    // Xendit's search also finds parts of a reference.
    const own = asked.value.data.filter(({ reference_id }) => reference_id === reference);
    const found = own.map(receiptOf);
    // Xendit lists the newest first: of two lines of one payment the earlier one counts.
    for (const receipt of found) if (receipt) all.set(receipt.id, receipt);
    if (found.includes(undefined)) return unknown(STRANGE);
    if (!asked.value.has_more) return done([...all.values()].sort((a, b) => +a.at - +b.at));
    after = asked.value.data.at(-1)?.id;
  }
  return unknown('more payments under one reference than can be read');
}

function receiptOf(
  line: Static<typeof TransactionPage>['data'][number],
): PaymentReceipt | undefined {
  const known = lineOf(line);
  if (known === undefined || known.units <= 0n) return undefined;
  return { id: line.product_id, line: line.id, units: known.units, at: known.at };
}

function pageOf(ask: XenditCall, query: Readonly<Record<string, string | readonly string[]>>) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) search.append(name, one);
  const path = `/transactions?${search}`;
  return ask(TransactionPage, { name: 'transactions', method: 'GET', path });
}
