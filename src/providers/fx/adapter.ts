import { Value } from 'typebox/value';
import type { Clock } from '#kernel/clock.ts';
import { refuseDryRun } from '#kernel/dry-run.ts';
import { callHttp, done, type Outcome, refused, unknown } from '#kernel/provider-call.ts';
import type { ExchangeRates, RateReading } from './port.ts';
import { rateOf, type Table, toTable, WireRates } from './wire.ts';

export interface FxSettings {
  /** `https://api.coinbase.com` */
  url(): string;
  /** If the address needs one; Coinbase's does not. */
  readonly key?: string | undefined;
  /** While the provider is unreachable, rates of this age still count; older ones are a guess. */
  readonly maxAgeMs?: number;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

/** A rate of this age is used without a new call. */
const FRESH_MS = 60_000;
const MAX_AGE_MS = 600_000;
const SOURCE = 'coinbase';
const TIMEOUT_MS = 5_000;
const ATTEMPTS = 2;

interface Read {
  readonly table: Table;
  readonly at: Date;
}

/** Reads the public exchange rates of Coinbase: one call returns all currencies and coins. */
export function exchangeRates(settings: FxSettings): ExchangeRates {
  const { clock, maxAgeMs = MAX_AGE_MS } = settings;
  let latest: Read | undefined;
  let asking: Promise<Outcome<Read>> | undefined;

  const age = (read: Read): number => clock.now().getTime() - read.at.getTime();

  /** Callers during a call share its answer. */
  async function current(): Promise<Outcome<Read>> {
    if (latest && age(latest) < Math.min(FRESH_MS, maxAgeMs)) return done(latest);
    // What others may wait for, too, is not begun by a dry run.
    refuseDryRun('fx rates');
    asking ??= ask(settings).finally(() => {
      asking = undefined;
    });
    const answer = await asking;
    if (answer.kind === 'done') latest = answer.value;
    else if (latest && age(latest) < maxAgeMs) return done(latest);
    return answer;
  }

  async function read(): Promise<Outcome<RateReading>> {
    const answer = await current();
    if (answer.kind !== 'done') return answer;
    return done(readingOf(answer.value));
  }

  const readingOf = ({ table, at }: Read): RateReading => ({
    rateOf: (from, to) => rateOf(table, from, to),
    source: SOURCE,
    at: at.toISOString(),
    usable_until: new Date(at.getTime() + maxAgeMs).toISOString(),
  });

  return {
    read,
    known: () => (latest && age(latest) < maxAgeMs ? readingOf(latest) : undefined),
    async rate(from, to) {
      const reading = await read();
      if (reading.kind !== 'done') return reading;
      const { source, at } = reading.value;
      const rate = reading.value.rateOf(from, to);
      if (rate === undefined) return refused('NO_RATE', `There is no rate from ${from} to ${to}`);
      return done({ rate, source, at });
    },
  };
}

async function ask({
  url,
  key,
  clock,
  timeoutMs = TIMEOUT_MS,
}: FxSettings): Promise<Outcome<Read>> {
  let cause = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const at = clock.now();
    const reply = await callHttp({
      name: 'fx rates',
      method: 'GET',
      url: `${url()}/v2/exchange-rates?currency=USD`,
      ...(key && { headers: { authorization: `Bearer ${key}` } }),
      timeoutMs,
    });
    if ('lost' in reply) cause = reply.lost;
    else if (reply.status !== 200) cause = `status ${reply.status}`;
    else if (Value.Check(WireRates, reply.json)) return done({ table: toTable(reply.json), at });
    else cause = 'an answer of another shape';
  }
  return unknown(cause);
}
