import { databaseError } from '../src/app/start/database-words.ts';
import { type Config, loadConfig } from '../src/kernel/config/config.ts';
import { requireMigrated } from '../src/kernel/db/migrate.ts';

export interface Place {
  readonly config: Config;
  /** The configured database as the service uses it, or the one in DATA_DIR. */
  readonly url: string;
  /** The server itself, if that is a pooler. */
  readonly directUrl: string;
}

interface Options {
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the database has to have all migrations; by default it does. */
  readonly migrated?: boolean;
}

/**
 * An operator's command over the database that the settings name, beside the running service or without it. It reports a fault of the settings, the address or the schema in a sentence, like a start.
 */
export async function operate(
  work: (place: Place) => Promise<void>,
  { env = process.env, migrated = true }: Options = {},
): Promise<void> {
  const config = settings(env);
  if (config === undefined) return;
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR } = config;
  const embedded = DATABASE_URL ? undefined : await openEmbedded(DATA_DIR);
  const url = DATABASE_URL ?? embedded?.url ?? '';
  const directUrl = DATABASE_DIRECT_URL ?? url;
  try {
    if (!migrated || (await isMigrated(DATABASE_URL, directUrl))) {
      await work({ config, url, directUrl });
    }
  } catch (error) {
    const said = databaseError(DATABASE_URL, error);
    if (said === error) throw error;
    complain((said as Error).message);
  } finally {
    await embedded?.stop();
  }
}

/** Loaded here only: a production image has a database elsewhere, and no embedded one. */
export async function openEmbedded(dataDir: string) {
  const { embeddedDir, startEmbedded } = await import('../embedded/embedded.ts');
  return startEmbedded({ dir: embeddedDir(dataDir) });
}

function settings(env: NodeJS.ProcessEnv): Config | undefined {
  try {
    return loadConfig(env);
  } catch (error) {
    complain((error as Error).message);
    return undefined;
  }
}

async function isMigrated(configured: string | undefined, url: string): Promise<boolean> {
  try {
    await requireMigrated(url);
    return true;
  } catch (error) {
    complain((databaseError(configured, error) as Error).message);
    return false;
  }
}

/** Prints the fault, and makes the command end with 1. */
export function complain(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
