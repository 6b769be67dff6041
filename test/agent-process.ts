import type { Orders } from './agent-child.ts';
import { nodesOf } from './app-process.ts';
import { killWhereItHangs } from './child.ts';
import type { Harness, Person } from './harness.ts';

/** Settings of a harness whose users also confirm in a process of their own, which opens the same seals. */
export const SHARED_SECRETS = {
  masterKey: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  jwtSecret: 'a secret that only these test files know',
};

/** Says yes in a process of its own, and kills that process at the given point. */
export const killedAgreeing =
  (h: Harness) =>
  async ({ user_id, client_id }: Person, dies: Pick<Orders, 'call' | 'when'>): Promise<void> => {
    const settings = {
      NODE_ENV: 'test',
      RATE_LIMITS: 'off',
      DATA_DIR: h.dataDir,
      MOCK_MODE: String(h.kernel.config.MOCK_MODE),
      ...(await nodesOf(h)),
      SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
    };
    const secrets = {
      MASTER_KEY: SHARED_SECRETS.masterKey,
      JWT_SECRET: SHARED_SECRETS.jwtSecret,
      EVM_MNEMONIC: 'test test test test test test test test test test test junk',
    };
    await killWhereItHangs('agent-child.ts', {
      secrets,
      settings,
      ...dies,
      user: { user_id, client_id },
      databaseUrl: h.kernel.pool.options.connectionString ?? '',
      aheadMs: h.clock.offsetMs,
    } satisfies Orders);
  };
