import { Value } from 'typebox/value';
import type { Clock } from '#kernel/clock.ts';
import { callHttp, done, type Outcome, refused, unknown } from '#providers/provider.ts';
import type { ExchangeRates } from './port.ts';
import { rateOf, type Table, toTable, WireRates } from './wire.ts';

export interface FxSettings {
  /** `https://api.coinbase.com` */
  url(): string;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

/** A rate this old is taken without asking again. */
const FRESH_MS = 60_000;
/** While the provider is away, a rate of this age still counts; an older one is a guess. */
const USABLE_MS = 600_000;
const TIMEOUT_MS = 5_000;
const ATTEMPTS = 2;

interface Read {
  readonly table: Table;
  readonly at: Date;
}

/** Reads the public exchange rates of Coinbase: one call tells all currencies and coins. */
export function exchangeRates(settings: FxSettings): ExchangeRates {
  const { clock } = settings;
  let latest: Read | undefined;
  let asking: Promise<Outcome<Read>> | undefined;

  const age = (read: Read): number => clock.now().getTime() - read.at.getTime();

  /** Those who ask while an answer is on its way share it. */
  async function current(): Promise<Outcome<Read>> {
    if (latest && age(latest) < FRESH_MS) return done(latest);
    asking ??= ask(settings).finally(() => {
      asking = undefined;
    });
    const answer = await asking;
    if (answer.kind === 'done') latest = answer.value;
    else if (latest && age(latest) < USABLE_MS) return done(latest);
    return answer;
  }

  return {
    async rate(from, to) {
      const read = await current();
      if (read.kind !== 'done') return read;
      const { table, at } = read.value;
      const rate = rateOf(table, from, to);
      if (rate === undefined) return refused('NO_RATE', `There is no rate from ${from} to ${to}`);
      return done({ rate, source: 'coinbase', at: at.toISOString() });
    },
  };
}

async function ask({ url, clock, timeoutMs = TIMEOUT_MS }: FxSettings): Promise<Outcome<Read>> {
  let cause = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const at = clock.now();
    const reply = await callHttp({
      name: 'fx rates',
      method: 'GET',
      url: `${url()}/v2/exchange-rates?currency=USD`,
      timeoutMs,
    });
    if ('lost' in reply) cause = reply.lost;
    else if (reply.status !== 200) cause = `status ${reply.status}`;
    else if (Value.Check(WireRates, reply.json)) return done({ table: toTable(reply.json), at });
    else cause = 'an answer of another shape';
  }
  return unknown(cause);
}
