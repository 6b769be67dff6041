import closeWithGrace from 'close-with-grace';
import { endAll, inTime } from '#kernel/ending.ts';
import { createLog, type Logger } from '#kernel/log.ts';
import type { Config } from './config.ts';
import { greet } from './greeting.ts';
import { loadSecrets } from './secrets-file.ts';
import { type Started, startPatiently } from './start.ts';
import { startTracing } from './tracing.ts';

const GRACE_MS = 15_000;
const STARTING_MS = 5000;
const TRACES_MS = 1000;

/** Starts everything the configured role needs, and ends it again when asked to, also meanwhile. */
export async function runService(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const stopTracing = await startTracing(config);
  const secrets = await loadSecrets(config);
  const ending = new AbortController();
  const starting = startPatiently(config, { secrets, log, signal: ending.signal });
  let started: Started | undefined;
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= end(started, stopTracing, log));
  // From the beginning, so that a start can be ended too, and leaves no database behind.
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'unforeseen, stopping');
    else log.info({ signal }, 'stopping');
    ending.abort();
    // A start that is given up undoes itself.
    const undone = starting.then((done) => (started ??= done)).catch(() => undefined);
    await inTime(undone, STARTING_MS);
    await stop();
  });
  try {
    started = await starting;
  } catch (error) {
    if (ending.signal.aborted) return;
    await stop();
    throw error;
  }
  if (ending.signal.aborted) return;
  // In the background: the first request need not wait for it, and nobody waits for the start.
  started.app.evm.warm();
  greet(config, started.app);
}

/** The database outlives us where it is not stopped, so that it is stopped whatever hangs before. */
async function end(
  started: Started | undefined,
  stopTracing: () => Promise<void>,
  log: Logger,
): Promise<void> {
  // What could not be ended is in the log, and ends with this process.
  await started?.app.close().catch(() => undefined);
  await endAll([{ what: 'the traces', ms: TRACES_MS, end: stopTracing }], log).catch(
    () => undefined,
  );
  const database = { what: 'the database', ms: GRACE_MS, end: () => started?.database.stop() };
  await endAll([database], log);
}
