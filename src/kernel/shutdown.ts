import type { Logger } from './log.ts';

/** Something that has to be ended, even if ending the others fails. */
export interface ShutdownStep {
  readonly what: string;
  /** How long the others wait for it. */
  readonly ms: number;
  end(): unknown;
}

/**
 * Ends one after the other. What fails or takes too long is named in the log, and keeps none of the
 * rest from their end; once all had their turn, the first failure is thrown. Being late is none: a
 * process that ends takes with it what it waited for.
 */
export async function runShutdown(endings: readonly ShutdownStep[], log: Logger): Promise<void> {
  const failures: unknown[] = [];
  for (const { what, ms, end } of endings) {
    try {
      if (!(await endsWithin(Promise.resolve(end()), ms)))
        log.warn({ what }, 'does not end, going on');
    } catch (err) {
      log.error({ what, err }, 'could not be ended, going on');
      failures.push(err);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Whether that came to its end by then. What fails in time is thrown, what fails later is not. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
