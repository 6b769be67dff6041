import type { Logger } from './log.ts';

/** A step of the shutdown, which runs even if the others fail. */
export interface ShutdownStep {
  readonly what: string;
  /** How long the following steps wait for it. */
  readonly ms: number;
  end(): unknown;
}

/**
 * Runs one step after the other. The log names a step that fails or takes too long, and the others still
 * run; after the last one it throws the first failure. A late step is no failure: the end of the process
 * ends it, too.
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

/** Whether the work ended in time. Throws its failure only where it failed in time. */
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
