import { refuseDryRun } from '#kernel/dry-run.ts';
import { divide } from '#kernel/money/rate.ts';
import { done, type Outcome } from '../../kernel/provider-call.ts';
import { ask } from './ccxt.ts';
import { type Client, SYMBOL } from './client.ts';
import type { ExchangeOffer } from './port.ts';
import { CcxtBook, finest, fromFinest, ONE } from './wire.ts';

/** The number of levels of the book that are read. */
const LEVELS = 100;
/** ccxt answers books in floats: good enough to check a price, and nothing is booked by them. */
const DIGITS = 12;

/** Reads the book; simultaneous callers share one reading. */
export function createPricing(client: Client): (units: bigint) => Promise<Outcome<ExchangeOffer>> {
  let reading: Promise<Outcome<CcxtBook>> | undefined;
  const read = () => {
    // What others may wait for, too, is not begun by a dry run.
    refuseDryRun('exchange price');
    reading ??= ask(CcxtBook, async () => (await client()).fetchOrderBook(SYMBOL, LEVELS)).finally(
      () => {
        reading = undefined;
      },
    );
    return reading;
  };
  return async (units) => {
    const book = await read();
    return book.kind === 'done' ? done(through(levelsOf(book.value), units)) : book;
  };
}

interface Level {
  readonly each: bigint;
  readonly amount: bigint;
}

const levelsOf = ({ asks }: CcxtBook): Level[] =>
  asks
    .map(([each, amount]) => ({ each: exact(each), amount: exact(amount) }))
    .filter(({ each }) => each > 0n)
    .sort((a, b) => (a.each < b.each ? -1 : 1));

const exact = (value: number): bigint => finest(value.toFixed(DIGITS));

/** The purchase for so many units of IDR, from the cheapest offer on. */
function through(levels: readonly Level[], units: bigint): ExchangeOffer {
  const all = (units * ONE) / 100n;
  let left = all;
  let bought = 0n;
  for (const { each, amount } of levels) {
    const taken = least((left * ONE) / each, amount);
    if (taken === 0n) break;
    left -= divide(taken * each, ONE, 'up');
    bought += taken;
  }
  return {
    spent: fromFinest('IDR', all - left, 'up'),
    bought: fromFinest('USDC', bought, 'down'),
  };
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
