import type { Config } from '#kernel/config/config.ts';
import { badConfiguration } from '#kernel/config/setting-words.ts';
import { createLog, type Logger } from '#kernel/log.ts';
import { checkOpenFiles, openFilesMax } from '#kernel/open-files.ts';
import { prettyLines } from '#kernel/pretty-log.ts';
import { endsWithin } from '#kernel/shutdown.ts';
import { startTracing } from '#src/app/operate/tracing.ts';
import { loadSecrets } from '#src/app/start/secrets-file.ts';
import { giveBackAtRest } from './give-back.ts';
import { requirePlaces } from './preflight.ts';
import { startWithRetries } from './start.ts';
import { endService, type StartedService, stopWhenTold } from './stopping.ts';

const STARTING_MS = 5000;

/** Throws if the process's limit of open files is too low to serve, and warns if it is low. */
function requireOpenFiles(files: number, log: Pick<Logger, 'warn'>): void {
  const judged = checkOpenFiles(files);
  if (judged?.refuses) throw badConfiguration([judged.why]);
  if (judged) log.warn(judged.why);
}

/**
 * Starts everything that the configured role needs, and ends it at a signal, also during the start. `odd` findings about
 * the settings are logged, and do not stop the start.
 */
export async function runService(config: Config, odd: readonly string[]): Promise<void> {
  const log = createLog(config.LOG_LEVEL, await linesOf(config));
  for (const what of odd) log.warn(what);
  await requirePlaces(config);
  requireOpenFiles(openFilesMax(), log);
  const begun: StartedService = { stopTracing: await startTracing(config) };
  const secrets = await loadSecrets(config);
  const ending = new AbortController();
  const starting = startWithRetries(config, { secrets, log, signal: ending.signal });
  const started = starting.then((done) => {
    Object.assign(begun, done);
    return done.app;
  });
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= endService(begun, log));
  // From the beginning, so that a signal ends a start, too, and leaves no database behind.
  stopWhenTold(log, async () => {
    ending.abort();
    // An aborted start undoes itself.
    const undone = started.catch(() => undefined);
    await endsWithin(undone, STARTING_MS);
    await stop();
  });
  const app = await started.catch(async (error: unknown) => {
    if (ending.signal.aborted) return undefined;
    await stop();
    throw error;
  });
  if (!app || ending.signal.aborted) return;
  app.warm();
  const { greet } = await import('./greeting.ts');
  greet(config, app);
  giveBackAtRest();
}

/** For people on a terminal; JSON everywhere else, also without the printer. */
async function linesOf({ LOG_PRETTY, NODE_ENV }: Config) {
  const looked = NODE_ENV === 'development' && process.stdout.isTTY ? 'on' : 'off';
  return (LOG_PRETTY ?? looked) === 'on' ? prettyLines() : undefined;
}
