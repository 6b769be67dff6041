import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { machineMs } from '#kernel/clock.ts';
import { refuseDryRun } from '#kernel/dry-run.ts';
import { noteWait } from '#kernel/retry-after.ts';
import { done, type Outcome, refused, unknown } from '../../kernel/provider-call.ts';

/**
 * The start of a list, in milliseconds, and its length, in the exchange's own parameters: with its own, ccxt drops
 * rows that do not match them, and a repeated page would look like the last.
 */
export interface From {
  readonly startTime: number;
  readonly limit: number;
}
interface Window extends From {
  readonly endTime: number;
}

/** The used part of ccxt's unified API; a schema reads its answers. */
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
  /** Whether calls wait for one another by the exchange's limits, and how long, in ms. */
  readonly enableRateLimit: boolean;
  readonly rateLimit: number;
  /** The time in signed requests. */
  readonly milliseconds: () => number;
}

/**
 * One exchange of ccxt, loaded when it is first used, by its own file: the library's entry would load
 * all of them, which takes three times the memory and four times the time (decisions: 0041).
 */
export async function loadCcxt(id: string, options: CcxtOptions): Promise<Ccxt> {
  // Its package exports only the entry, from which the file's path follows.
  const entry = pathToFileURL(createRequire(import.meta.url).resolve('ccxt'));
  const file = new URL(`../js/src/${id}.js`, entry);
  const { default: Exchange } = (await import(file.href)) as {
    default: new (options: object) => Ccxt;
  };
  // Amounts as received text: a float would lose digits.
  const exchange = new Exchange({ ...options, number: String });
  const { handleErrors } = exchange;
  exchange.handleErrors = (...answer) => {
    const [status, , , , headers] = answer;
    if (status >= 400) noteWait(headers, machineMs());
    return handleErrors.apply(exchange, answer);
  };
  // Now, because an instance that has failed at this once keeps its failure for ever.
  await exchange.loadMarkets();
  return exchange;
}

/** Makes a call, and answers its certain outcome. */
export async function ask<S extends TSchema>(
  schema: S,
  call: () => Promise<unknown>,
): Promise<Outcome<Static<S>>> {
  refuseDryRun('exchange request');
  try {
    const answer = await call();
    return Value.Check(schema, answer) ? done(answer) : unknown('an answer of another shape');
  } catch (error) {
    return outcomeOf(error);
  }
}

/** The exchange's own codes of a refused order or withdrawal. */
const REJECTIONS = /"code":\s*-(2010|40\d\d)\b/;

/**
 * A refusal is an error whose kind proves that nothing was done. All others, above all a missing answer, are
 * unknown. The message itself is never kept: it has the signed address in it.
 */
function outcomeOf(error: unknown): Outcome<never> {
  if (!(error instanceof Error)) return unknown('a failure without a name');
  const kinds = kindsOf(error);
  const [kind = 'Error'] = kinds;
  if (!kinds.includes('ExchangeError')) return unknown(kind);
  const isPlain = kind === 'ExchangeError';
  if (isPlain && !REJECTIONS.test(error.message)) return unknown(kind);
  const [, said = kind] = /"msg":\s*"([^"]{1,200})/.exec(error.message) ?? [];
  return refused(kind, said);
}

/** The names of its class and of its superclasses: ccxt's errors are a hierarchy. */
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
