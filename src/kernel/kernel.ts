import type { Kysely } from 'kysely';
import type pg from 'pg';
import { type Config, publicUrl } from '#kernel/config/config.ts';
import { type Authenticator, createAuthenticator } from './access/authenticator.ts';
import { createConsoleDoor } from './access/console-door.ts';
import { type ConsoleSessions, createConsoleSessions } from './access/console-sessions.ts';
import { type CredentialCache, createCredentialCache } from './access/credential-cache.ts';
import { createKeyUsage, type KeyUsage } from './access/key-usage.ts';
import { createOperatorGuard } from './access/operator-guard.ts';
import { createReadYourWrites } from './access/read-your-writes.ts';
import { createSessionReader, type Sessions } from './access/sessions.ts';
import type { Clock } from './clock.ts';
import { openDatabase } from './db/db.ts';
import { holdLiveness, type Liveness } from './db/liveness.ts';
import { openReplica } from './db/replica.ts';
import type { DB } from './db/schema.generated.ts';
import { createEffects, type Effects } from './effects/effects.ts';
import { createInboxes, type Inboxes } from './effects/inbox.ts';
import { createSagas, type Sagas } from './effects/saga.ts';
import { createEventLog, type Events } from './events/events.ts';
import { createHistories, type Histories } from './http/answer/histories.ts';
import { createIdempotency, type Idempotency } from './http/answer/idempotency.ts';
import { createLimits, type Limits } from './http/answer/limits.ts';
import { createJobs, type Jobs } from './jobs/jobs.ts';
import { createBalanceReader } from './ledger/balance-reader.ts';
import { splitAccounts } from './ledger/parts.ts';
import type { Logger } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type PriceList, readPriceList } from './money/price-list.ts';
import { openFilesMax } from './open-files.ts';
import { createPolicyDecisions, type Policies } from './policies/policies.ts';
import { createQuotas, type Quotas } from './quota/quota.ts';
import { type CeilingShares, createShares } from './quota/shares.ts';
import { openRedis } from './redis.ts';
import { createTokenSigner, type Tokens } from './secrets/jwt.ts';
import { createPasswords, type PasswordCost, type Passwords } from './secrets/password.ts';
import { createVault, type Vault } from './secrets/vault.ts';
import { createSteadyTiming, type SteadyTiming } from './steady-timing.ts';
import { disablePretenuring } from './v8-flags.ts';

/** What the features stand on, made once; each takes the parts it needs. */
export interface Kernel {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly db: Kysely<DB>;
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly passwords: Passwords;
  /** Hides how long work took, where the time would give an answer away. */
  readonly steadyTiming: SteadyTiming;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly consoleSessions: ConsoleSessions;
  readonly credentials: CredentialCache;
  readonly keyUsage: KeyUsage;
  readonly authenticator: Authenticator;
  readonly quotas: Quotas;
  /** What providers take for a transaction. */
  readonly prices: PriceList;
  readonly limits: Limits;
  /** Ceilings of this process, and who has how much of them. */
  readonly shares: CeilingShares;
  /** How many files and sockets this process may have open. */
  readonly files: number;
  readonly idempotency: Idempotency;
  /** Where lists and histories are read from. */
  readonly histories: Histories;
  readonly jobs: Jobs;
  readonly effects: Effects;
  readonly inboxes: Inboxes;
  readonly sagas: Sagas;
  readonly events: Events;
  /** Who may pay what. */
  readonly policies: Policies;
  /** By what others know that this process is there. */
  readonly presence: Pick<Liveness, 'number' | 'listen'>;
  readonly balances: ReturnType<typeof createBalanceReader>;
  /** The public address, for links in messages; known once the server listens. */
  publicUrl(): string;
  close(): Promise<void>;
}

export interface KernelSecrets {
  readonly MASTER_KEY: string;
  readonly JWT_SECRET: string;
  readonly EVM_MNEMONIC: string;
}

export interface KernelOptions {
  readonly config: Config;
  readonly secrets: KernelSecrets;
  /** Of the database, or of a pooler in front of it. */
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Instead of the configured one, once the real port is known. */
  readonly publicUrl?: () => string;
  /** Instead of one that really waits. */
  readonly pace?: SteadyTiming;
  /** Instead of the right one: tests log in thousands of times. */
  readonly passwordCost?: PasswordCost;
  /** How many files this process may have open, instead of what the system says. */
  readonly files?: number;
}

/** As long as a request may take altogether; the caller has gone by then. */
const STATEMENT_MS = 60_000;

/** Opens the database and everything that hangs on it. The schema must be there already. */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { config, secrets, clock, log } = options;
  disablePretenuring();
  const { db, pool, redis, credentials, presence, close } = await openConnections(options);
  const vault = createVault(secrets.MASTER_KEY);
  const tokens = createTokenSigner(secrets.JWT_SECRET, clock);
  const keyUsage = createKeyUsage(pool);
  const pooled = config.DATABASE_DIRECT_URL !== undefined;
  const jobs = createJobs({ pool, clock, log, presence, pooled, prepared: config.DB_PREPARED });
  const effects = createEffects({ db, jobs, clock, log });
  const events = createEventLog({ db, presence, log });
  const idempotency = createIdempotency({ db, vault, clock, log, presence });
  const reading = openHistories(options, db, createMetrics(pool));
  return {
    config,
    clock,
    log,
    ...reading,
    policies: createPolicyDecisions({ db, clock, log, vault, metrics: reading.metrics }),
    db,
    pool,
    vault,
    passwords: createPasswords(options.passwordCost),
    steadyTiming: options.pace ?? createSteadyTiming(),
    tokens,
    sessions: createSessionReader({ tokens, credentials, clock, ttlSeconds: config.JWT_TTL }),
    credentials,
    keyUsage,
    ...openDoors({ config, clock, db, credentials, keyUsage, tokens }),
    ...openLimits(options, db, redis),
    idempotency,
    jobs,
    effects,
    inboxes: createInboxes({ db, jobs, clock, log }),
    sagas: createSagas({ db, jobs, effects, clock, log }),
    events,
    presence,
    balances: createBalanceReader(pool),
    publicUrl: options.publicUrl ?? (() => publicUrl(config)),
    async close() {
      await keyUsage.close();
      await credentials.close();
      idempotency.close();
      await events.close();
      // What ran has ended, so that nothing is left which others may take for given up.
      await presence.close();
      await Promise.all([reading.closeReplica(), close()]);
    },
  };
}

/** What a caller may ask in a time, in a day and at once. */
const openLimits = (
  { config, clock, log, files = openFilesMax() }: KernelOptions,
  db: Kysely<DB>,
  redis: Parameters<typeof createLimits>[0]['redis'],
) => ({
  quotas: createQuotas({ clock, log, config }),
  prices: readPriceList(config),
  limits: createLimits({ on: config.RATE_LIMITS === 'on', redis }),
  shares: createShares({ db, config, files }),
  files,
});

/** Who is let in, by key and token or by the console's cookie. */
function openDoors(
  deps: Omit<Parameters<typeof createAuthenticator>[0], 'consoleDoor' | 'operatorGuard'> &
    Pick<Kernel, 'config' | 'db'>,
) {
  const consoleSessions = createConsoleSessions(deps);
  const consoleDoor = createConsoleDoor({ ...deps, consoleSessions });
  const operatorGuard = createOperatorGuard(deps);
  const authenticator = createAuthenticator({ ...deps, consoleDoor, operatorGuard });
  return { consoleSessions, authenticator };
}

/** Where a replica is configured it has connections of its own, and nothing waits for it to be there. */
function openHistories({ config, log }: KernelOptions, db: Kysely<DB>, metrics: Metrics) {
  const { DATABASE_REPLICA_URL: url, DB_REPLICA_POOL: max, DB_PREPARED: prepared } = config;
  const pooled = config.DATABASE_DIRECT_URL !== undefined;
  const replicated =
    url === undefined
      ? undefined
      : {
          replica: openReplica({ url, max, prepared, pooled, log }),
          fence: createReadYourWrites(db, config.DB_REPLICA_LAG * 1000),
        };
  return {
    metrics,
    histories: createHistories({ db, metrics, replicated }),
    async closeReplica() {
      replicated?.fence.close();
      await replicated?.replica.close();
    },
  };
}

/** All of them, or none and the reason. `close` ends the pool and Redis, after the other two. */
async function openConnections({ config, databaseUrl, log }: KernelOptions) {
  const redis = config.REDIS_URL ? await openRedis(config.REDIS_URL, log) : undefined;
  const { db, pool, ...database } = openDatabase(databaseUrl, {
    max: config.DB_POOL,
    waitMs: config.DB_WAIT * 1000,
    prepared: config.DB_PREPARED,
    pooled: config.DATABASE_DIRECT_URL !== undefined,
    statementMs: STATEMENT_MS,
    onError: (err) => log.warn({ err }, 'database connection lost'),
  });
  const close = async () => {
    redis?.disconnect();
    await database.close();
  };
  const directUrl = config.DATABASE_DIRECT_URL ?? databaseUrl;
  try {
    // An answer is waited for half as long as a connection.
    const presence = await holdLiveness(directUrl, log, config.DB_WAIT * 500);
    splitAccounts(db, () => presence.number);
    const credentials = await createCredentialCache(pool, presence);
    if (config.DATABASE_DIRECT_URL) await warnOfNoLimits(presence, log);
    return { db, pool, redis, credentials, presence, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where a pooler hands sessions on, limits of time can only be the role's own. */
async function warnOfNoLimits(presence: Pick<Liveness, 'query'>, log: Logger): Promise<void> {
  const unlimited = await presence.query<{ name: string }>(
    `select name from unnest($1::text[]) name where current_setting(name) = '0'`,
    ['{statement_timeout,idle_in_transaction_session_timeout}'],
  );
  if (unlimited.length > 0)
    log.warn({ settings: unlimited.map(({ name }) => name) }, 'the role has no limits of time');
}
