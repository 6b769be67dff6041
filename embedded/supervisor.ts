import type { Logger } from '#kernel/log.ts';
import type { Embedded } from './embedded.ts';

const CHECK_MS = 1000;

/**
 * Restarts an embedded server when it is killed, since no service manager does here: the system kills
 * processes when memory runs out.
 */
export function supervise(server: Pick<Embedded, 'revive'>, log: Logger): { stop(): void } {
  let looking: NodeJS.Timeout | undefined;
  let stopped = false;
  const lookLater = () => {
    if (!stopped) looking = setTimeout(() => void check(), CHECK_MS).unref();
  };
  async function check(): Promise<void> {
    try {
      if (await server.revive()) log.warn('the database had died and runs again');
    } catch (err) {
      log.error({ err }, 'the database does not run and cannot be started');
    }
    lookLater();
  }
  lookLater();
  return {
    stop() {
      stopped = true;
      clearTimeout(looking);
    },
  };
}
