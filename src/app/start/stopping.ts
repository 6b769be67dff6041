import closeWithGrace from 'close-with-grace';
import type { Logger } from '#kernel/log.ts';
import { runShutdown } from '#kernel/shutdown.ts';
import type { App } from '#src/app/app.ts';

/** The parts to end, as far as the start has come. */
export interface StartedService {
  app?: App;
  database?: { stop(): Promise<void> };
  stopTracing?: () => Promise<void>;
}

const GRACE_MS = 15_000;
const TRACES_MS = 1000;
const UNFORESEEN = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * Stops and ends the process at a signal with 0, or at an unforeseen error with 1, as when the stop fails or takes too
 * long. An unforeseen error during the stop, such as a breaking connection, is logged and does not cut it short.
 */
export function stopWhenTold(log: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  let broken = false;
  const options: closeWithGrace.Options = {
    delay: GRACE_MS,
    logger: false,
    skip: [...UNFORESEEN],
    onTimeout: () => log.error('could not be stopped in time'),
  };
  const { close } = closeWithGrace(options, async ({ signal }) => {
    stopping = true;
    if (signal) log.info({ signal }, 'stopping');
    await stop();
    if (broken) throw new Error('Stopped by something unforeseen');
  });
  for (const event of UNFORESEEN)
    process.on(event, (err) => {
      log.fatal({ err }, stopping ? 'unforeseen while stopping' : 'unforeseen, stopping');
      if (stopping) return;
      broken = true;
      void close();
    });
}

/** The database would outlive us, so it is stopped even if something before it hangs. */
export async function endService(begun: StartedService, log: Logger): Promise<void> {
  const { app, database, stopTracing } = begun;
  // The log names parts that could not be ended; they end with this process.
  await app?.close().catch(() => undefined);
  const traces = { what: 'the traces', ms: TRACES_MS, end: () => stopTracing?.() };
  await runShutdown([traces], log).catch(() => undefined);
  await runShutdown([{ what: 'the database', ms: GRACE_MS, end: () => database?.stop() }], log);
}
