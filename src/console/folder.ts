import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { monotonicMs } from '#kernel/clock.ts';
import type { Config } from '#kernel/config/config.ts';

const FINDER = fileURLToPath(new URL('../../scripts/console-folder.ts', import.meta.url));
const BUILD_MS = 120_000;
/** For so long it is not tried again: each failed try costs a process. */
const FAILED_MS = 60_000;

/** Where the files of the console are. */
export interface ConsoleFolder {
  /** Made by the first who asks, in a process of its own. Rejects where they cannot be made. */
  find(): Promise<string>;
  close(): void;
}

export const consoleFolder = ({ CONSOLE_DIR }: Pick<Config, 'CONSOLE_DIR'>): ConsoleFolder =>
  CONSOLE_DIR === undefined
    ? foundBy(async (signal) => {
        const options = { signal, timeout: BUILD_MS };
        const { stdout } = await promisify(execFile)(process.execPath, [FINDER], options);
        return stdout.trim();
      })
    : { find: async () => CONSOLE_DIR, close: () => undefined };

/** Who asks meanwhile waits for the same; a failure is answered for a minute. */
export function foundBy(find: (signal: AbortSignal) => Promise<string>): ConsoleFolder {
  const ending = new AbortController();
  let found: Promise<string> | undefined;
  let failedAt: number | undefined;
  return {
    find() {
      const isStale = failedAt !== undefined && monotonicMs() - failedAt > FAILED_MS;
      if (found && !isStale) return found;
      failedAt = undefined;
      found = find(ending.signal).catch((error: unknown) => {
        failedAt = monotonicMs();
        throw error;
      });
      return found;
    },
    close: () => ending.abort(),
  };
}
