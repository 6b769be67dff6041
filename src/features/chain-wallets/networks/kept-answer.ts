import { monotonicMs } from '#kernel/clock.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';

/** How long an answer of a network holds in a process. */
const KEPT_MS = 5_000;
/** A network that is slower than that is away for people who look at all of them. */
const PATIENCE_MS = 5_000;

/**
 * Asks once for all callers, and answers the same for five seconds. A failure holds as long, so that a network that is
 * away costs one call; what comes late is there for the next caller.
 */
export function keptAnswer<T>(ask: () => Promise<Outcome<T>>): () => Promise<Outcome<T>> {
  let kept: { readonly answer: Promise<Outcome<T>>; until: number } | undefined;
  return () => {
    if (kept === undefined || kept.until <= monotonicMs()) {
      const answer = ask().catch((error: unknown) => unknown(String(error)));
      const asked = { answer, until: Number.POSITIVE_INFINITY };
      kept = asked;
      void answer.then(() => {
        asked.until = monotonicMs() + KEPT_MS;
      });
    }
    return inTime(kept.answer);
  };
}

function inTime<T>(answer: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const late = Promise.withResolvers<Outcome<T>>();
  const timer = setTimeout(() => late.resolve(unknown('no answer in time')), PATIENCE_MS);
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}

/** The value, or undefined where the network is away. */
export const ifAnswered = <T>(outcome: Outcome<T>): T | undefined =>
  outcome.kind === 'done' ? outcome.value : undefined;
