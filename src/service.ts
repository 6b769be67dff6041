import closeWithGrace from 'close-with-grace';
import { createLog } from '#kernel/log.ts';
import type { Config } from './config.ts';
import { greet } from './greeting.ts';
import { loadSecrets } from './secrets-file.ts';
import { type Started, startPatiently } from './start.ts';
import { startTracing } from './tracing.ts';

const GRACE_MS = 15_000;

/** Starts everything the configured role needs, and ends it again when asked to. */
export async function runService(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const stopTracing = await startTracing(config);
  const secrets = await loadSecrets(config);
  const ending = new AbortController();
  const starting = startPatiently(config, { secrets, log, signal: ending.signal });
  let started: Started | undefined;
  const stop = async () => {
    await started?.app.close();
    await started?.database.stop();
    await stopTracing();
  };
  // From the beginning, so that a start can be ended too, and leaves no database behind.
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'unforeseen, stopping');
    else log.info({ signal }, 'stopping');
    ending.abort();
    started ??= await starting.catch(() => undefined);
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
