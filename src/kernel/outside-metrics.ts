import { Counter, Histogram } from 'prom-client';
import { monotonicMs } from './clock.ts';
import { refuseDryRun } from './dry-run.ts';

/**
 * Calls to other parties' systems, as they are seen from here: one for the process, since every adapter
 * comes by here and none should have to be handed what counts.
 */

/** What came of it: `refused` is an answer that says no, `unknown` none at all. */
export type CallResult = 'done' | 'refused' | 'error' | 'unknown';

const seconds = new Histogram({
  name: 'archipay_provider_seconds',
  help: 'Time to answer of other parties, by provider, call and result',
  labelNames: ['provider', 'call', 'result'] as const,
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [],
});
const tokens = new Counter({
  name: 'archipay_llm_tokens_total',
  help: 'Tokens that the language model has counted',
  labelNames: ['direction'] as const,
  registers: [],
});

export const OUTSIDE_METRICS = [seconds, tokens];

/** Counts and times a call named `provider what`, a name without an id in it. */
export async function timed<T>(
  name: string,
  work: () => Promise<T>,
  resultOf: (answer: T) => CallResult,
): Promise<T> {
  refuseDryRun(name);
  const began = monotonicMs();
  const [provider = '', ...call] = name.split(' ');
  const tell = (result: CallResult) =>
    seconds.observe({ provider, call: call.join(' '), result }, (monotonicMs() - began) / 1000);
  try {
    const answer = await work();
    tell(resultOf(answer));
    return answer;
  } catch (error) {
    tell('unknown');
    throw error;
  }
}

export function countTokens(usage: { readonly input: number; readonly output: number }): void {
  tokens.inc({ direction: 'input' }, usage.input);
  tokens.inc({ direction: 'output' }, usage.output);
}
