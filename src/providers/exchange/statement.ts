import type { BookLine, BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import { type Client, LISTED_MAX } from './client.ts';
import {
  exchangeReferenceOf,
  hasArrived,
  listDeposits,
  listWithdrawals,
  toDeposit,
  toWithdrawal,
} from './movements.ts';
import { endOf, listOrders } from './orders.ts';
import type { CcxtOrder } from './wire.ts';

/** Each is a list of its own there, read one after the other. */
const STAGES = ['deposit', 'trade', 'withdrawal'] as const;
type Stage = (typeof STAGES)[number];

/** The fills of every order are a call. */
const ORDERS_AT_ONCE = 100;

interface ListPage {
  readonly lines: readonly BookLine[];
  /** The start of the rest of this list; undefined at its end. */
  readonly rest?: number;
}

/** The exchange's books, a page of one of its lists at a time; `after` is the list and a time in it. */
export async function answerStatement(
  client: Client,
  window: BookWindow,
  after: string = `deposit:${window.from.getTime()}`,
): Promise<Outcome<BookPage>> {
  const [, stage = '', from = ''] = /^(deposit|trade|withdrawal):(\d{1,15})$/.exec(after) ?? [];
  const at = STAGES.indexOf(stage as Stage);
  if (at < 0) throw new Error(`Not a place in a statement: ${after}`);
  const page = await LIST_READERS[stage as Stage](client, Number(from));
  if (page.kind !== 'done') return page;
  const lines = page.value.lines.filter((line) => isWithin(window, line));
  const { rest } = page.value;
  const goesOn = rest !== undefined && rest < window.to.getTime();
  const following = STAGES[at + 1];
  const next = goesOn ? `${stage}:${rest}` : following && `${following}:${window.from.getTime()}`;
  return done({ lines, ...(next && { next }) });
}

const isWithin = ({ from, to }: BookWindow, { at }: BookLine): boolean => at >= from && at < to;

type ListReader = (client: Client, from: number) => Promise<Outcome<ListPage>>;

const LIST_READERS: Readonly<Record<Stage, ListReader>> = {
  deposit: async (client, from) => {
    const page = await listDeposits(client, from);
    if (page.kind !== 'done') return page;
    const lines = page.value.filter(hasArrived).map((one): BookLine => {
      const { id, note, units, at } = toDeposit(one);
      return { line: `deposit:${id}`, reference: note, kind: 'deposit', asset: 'IDR', units, at };
    });
    return done({ lines, ...restOf(page.value, LISTED_MAX) });
  },
  trade: async (client, from) => {
    const page = await listOrders(client, from, ORDERS_AT_ONCE);
    if (page.kind !== 'done') return page;
    const lines: BookLine[] = [];
    for (const order of page.value) {
      const trade = await tradeOf(client, order);
      if (trade.kind === 'unknown') return trade;
      if (trade.kind === 'done') lines.push(...trade.value);
    }
    return done({ lines, ...restOf(page.value, ORDERS_AT_ONCE) });
  },
  withdrawal: async (client, from) => {
    const page = await listWithdrawals(client, from);
    if (page.kind !== 'done') return page;
    const lines = page.value.flatMap((one): BookLine[] => {
      const { id, status, arriving, fee } = toWithdrawal(one);
      if (status !== 'COMPLETED' || one.info.asset !== 'USDC') return [];
      const line = { line: `withdrawal:${id}`, reference: exchangeReferenceOf(one) };
      const units = -(arriving + fee);
      return [{ ...line, kind: 'withdrawal', asset: 'USDC', units, at: new Date(one.timestamp) }];
    });
    return done({ lines, ...restOf(page.value, LISTED_MAX) });
  },
};

/** A line of each asset. An order still being filled makes the page unknown: its line would come too early. */
async function tradeOf(client: Client, order: CcxtOrder): Promise<Outcome<BookLine[]>> {
  if (order.status === 'open') return done([]);
  const end = await endOf(client, order);
  if (end.kind !== 'done') return end.kind === 'refused' ? done([]) : unknown(end.cause);
  const { spent, bought, feeUsdc } = end.value;
  const at = new Date(order.timestamp);
  const line = { reference: order.clientOrderId ?? '', kind: 'trade', at };
  return done([
    { ...line, line: `trade:${order.id}:IDR`, asset: 'IDR', units: -spent },
    { ...line, line: `trade:${order.id}:USDC`, asset: 'USDC', units: bought - feeUsdc },
  ]);
}

/** A full list continues at the time of its last entry, which is returned again under its id. */
function restOf(
  list: readonly { readonly timestamp: number }[],
  limit: number,
): { readonly rest?: number } {
  const [first, last] = [list[0], list.at(-1)];
  if (list.length < limit || !first || !last) return {};
  return { rest: last.timestamp > first.timestamp ? last.timestamp : last.timestamp + 1 };
}
