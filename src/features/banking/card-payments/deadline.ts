import { monotonicMs } from '#kernel/clock.ts';

/** The processor waits three seconds; what we say later than this is not said. */
const BUDGET_MS = 2000;

/** How long an answer has, from the arrival of its question. */
export interface Deadline {
  readonly budgetMs: number;
  elapsedMs(): number;
  leftMs(): number;
  isOver(): boolean;
}

export function startDeadline(budgetMs = BUDGET_MS): Deadline {
  const start = monotonicMs();
  const elapsedMs = () => monotonicMs() - start;
  const leftMs = () => Math.max(0, budgetMs - elapsedMs());
  return { budgetMs, elapsedMs, leftMs, isOver: () => leftMs() <= 0 };
}

/** What work comes to, or `late` once the time is over; the work goes on by itself. */
export async function within<T>(deadline: Deadline, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), deadline.leftMs());
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
