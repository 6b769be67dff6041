import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { machineMs } from '#kernel/clock.ts';
import { noteWait } from '#kernel/retry-after.ts';
import { done, type Outcome, refused, unknown } from '../../kernel/provider-call.ts';

/**
 * From when a list is to be told, in milliseconds, and how much of it, by the exchange's own words: given its own, ccxt
 * drops what does not fit them, and a page that was told again would look like the last.
 */
export interface From {
  readonly startTime: number;
  readonly limit: number;
}
interface Window extends From {
  readonly endTime: number;
}

/** As much of ccxt's unified API as is used; what it answers is read by a schema. */
export interface Ccxt {
  loadMarkets(): Promise<unknown>;
  /** Called with each answer: status, its text, address, method, headers and more. */
  handleErrors(...answer: [number, string, string, string, object, ...unknown[]]): unknown;
  fetchBalance(): Promise<unknown>;
  createOrder(
    symbol: string,
    type: 'market',
    side: 'buy',
    amount: number,
    price: undefined,
    params: object,
  ): Promise<unknown>;
  fetchOrderBook(symbol: string, limit: number): Promise<unknown>;
  fetchOrders(symbol: string, since: undefined, limit: undefined, params: From): Promise<unknown>;
  fetchMyTrades(
    symbol: string,
    since: number | undefined,
    limit: number,
    params?: object,
  ): Promise<unknown>;
  withdraw(
    code: string,
    amount: number,
    address: string,
    tag: undefined,
    params: object,
  ): Promise<unknown>;
  fetchWithdrawals(
    code: string,
    since: undefined,
    limit: undefined,
    params: Window,
  ): Promise<unknown>;
  fetchDeposits(code: string, since: undefined, limit: undefined, params: Window): Promise<unknown>;
}

export interface CcxtOptions {
  readonly apiKey: string;
  readonly secret: string;
  readonly urls: object;
  readonly timeout: number;
  /** Whether calls wait for one another as the exchange's limits want it, and how long, in ms. */
  readonly enableRateLimit: boolean;
  readonly rateLimit: number;
  /** The time that requests are signed with. */
  readonly milliseconds: () => number;
}

/**
 * One exchange of ccxt, loaded when it is first used, by its own file: the library's entry would load
 * all of them, which takes three times the memory and four times the time (decisions: 0041).
 */
export async function loadCcxt(id: string, options: CcxtOptions): Promise<Ccxt> {
  // Its package names only the entry, from which the file's place follows.
  const entry = pathToFileURL(createRequire(import.meta.url).resolve('ccxt'));
  const file = new URL(`../js/src/${id}.js`, entry);
  const { default: Exchange } = (await import(file.href)) as {
    default: new (options: object) => Ccxt;
  };
  // Amounts as the text that came: a float would lose what it cannot hold.
  const exchange = new Exchange({ ...options, number: String });
  const { handleErrors } = exchange;
  exchange.handleErrors = (...answer) => {
    const [status, , , , headers] = answer;
    if (status >= 400) noteWait(headers, machineMs());
    return handleErrors.apply(exchange, answer);
  };
  // Now, because one that has failed at this once keeps its failure for ever.
  await exchange.loadMarkets();
  return exchange;
}

/** Makes a call, and says what is certain of it afterwards. */
export async function ask<S extends TSchema>(
  schema: S,
  call: () => Promise<unknown>,
): Promise<Outcome<Static<S>>> {
  try {
    const answer = await call();
    return Value.Check(schema, answer) ? done(answer) : unknown('an answer of another shape');
  } catch (error) {
    return told(error);
  }
}

/** What the exchange itself says by its code: an order that is refused, or a withdrawal. */
const REJECTIONS = /"code":\s*-(2010|40\d\d)\b/;

/**
 * A refusal is one whose kind says that nothing was done. Everything else, and above all an answer that
 * did not come, is unknown. Never the message itself: it has the signed address in it.
 */
function told(error: unknown): Outcome<never> {
  if (!(error instanceof Error)) return unknown('a failure without a name');
  const kinds = kindsOf(error);
  const [kind = 'Error'] = kinds;
  if (!kinds.includes('ExchangeError')) return unknown(kind);
  const isPlain = kind === 'ExchangeError';
  if (isPlain && !REJECTIONS.test(error.message)) return unknown(kind);
  const [, said = kind] = /"msg":\s*"([^"]{1,200})/.exec(error.message) ?? [];
  return refused(kind, said);
}

/** The names of its class and of those above it: ccxt's errors are a family. */
function kindsOf(error: Error): string[] {
  const names: string[] = [];
  for (
    let at = Object.getPrototypeOf(error);
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  )
    names.push(String(at.constructor?.name));
  return names;
}
