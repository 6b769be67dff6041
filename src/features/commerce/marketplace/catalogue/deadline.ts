import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { endsWithin } from '#kernel/shutdown.ts';

/** The answer, where it comes in time. One that is late is still good for whoever asks next. */
export async function withinDeadline<T>(
  work: Promise<Outcome<T>>,
  ms: number,
): Promise<Outcome<T>> {
  return (await endsWithin(work, ms)) ? work : unknown('not in time');
}
