import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { endsWithin } from '#kernel/shutdown.ts';

/** The answer, where it comes in time. A late one still fills the cache for the next caller. */
export async function withinDeadline<T>(
  work: Promise<Outcome<T>>,
  ms: number,
): Promise<Outcome<T>> {
  return (await endsWithin(work, ms)) ? work : unknown('not in time');
}
