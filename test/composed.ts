import { randomBytes } from 'node:crypto';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { createLog } from '#kernel/log.ts';
import { openFilesMax } from '#kernel/open-files.ts';
import type { SteadyTiming } from '#kernel/steady-timing.ts';
import { type App, createApp, type MoreFeatures } from '#src/app/app.ts';
import { TEST_COST } from './hashes.ts';
import { morningClock } from './morning.ts';
import { runFolder } from './run-folder.ts';

export interface Composition {
  /** False runs against the sandbox providers instead of believing call-backs. */
  readonly mock?: boolean;
  /** Further settings, as environment variables. */
  readonly config?: Readonly<Record<string, string>>;
  /** Instead of a random one, for another process that opens the same seals. */
  readonly masterKey?: string;
  /** Likewise, for another process that accepts the same tokens. */
  readonly jwtSecret?: string;
  /** Instead of one without delays. */
  readonly pace?: SteadyTiming;
  /** Uses the machine's time, as chains do: for comparisons with a chain's. */
  readonly atMachineTime?: boolean;
  /** The process's limit of open files, which sets its ceilings. */
  readonly files?: number;
  /** Features beside the product's own. */
  readonly features?: MoreFeatures;
}

export interface Composed {
  readonly app: App;
  /** Everything it has logged so far. */
  readonly logs: string[];
  readonly dataDir: string;
}

/** The whole application with the settings of tests, which has not been started. */
export async function composed(databaseUrl: string, options: Composition = {}): Promise<Composed> {
  // Under the run's name, so that it is removed with the run even if no test ended properly.
  const dataDir = await runFolder();
  const config = loadConfig({
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX_SMTP_PORT: '0',
    ROLE: 'api',
    RATE_LIMITS: 'off',
    // Written beside the requests, while tests count what requests write.
    REQUEST_LOGS: 'off',
    MOCK_MODE: String(options.mock ?? true),
    DB_POOL: '10',
    // Other tests may occupy the machine for longer than a service should wait.
    DB_WAIT: '120',
    LOG_LEVEL: 'debug',
    DATA_DIR: dataDir,
    ...options.config,
  });
  const logs: string[] = [];
  const secrets = {
    MASTER_KEY: options.masterKey ?? `1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: options.jwtSecret ?? randomBytes(32).toString('hex'),
    EVM_MNEMONIC: 'test test test test test test test test test test test junk',
  };
  const log = createLog(config.LOG_LEVEL, { write: (line) => void logs.push(line) });
  const clock = options.atMachineTime === true ? createClock() : morningClock();
  const pace = options.pace ?? ((work) => work());
  const files = options.files ?? openFilesMax();
  const given = { config, databaseUrl, secrets, clock, log, pace, files };
  const app = await createApp({ ...given, passwordCost: TEST_COST }, options.features);
  return { app, logs, dataDir };
}
