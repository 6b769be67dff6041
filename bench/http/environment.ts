import { randomBytes } from 'node:crypto';
import { DEMO } from '#src/app/seed.ts';

/** Settings that the processes share; the limits are off except where they are measured. */
export function environment(url: string, dir: string): Record<string, string> {
  return {
    NODE_ENV: 'development',
    ROLE: 'api',
    DATABASE_URL: url,
    DATA_DIR: dir,
    PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX_SMTP_PORT: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
    MASTER_KEY: `1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: randomBytes(32).toString('hex'),
    EVM_MNEMONIC: 'test test test test test test test test test test test junk',
    BENCH_API_KEY: DEMO.apiKey,
  };
}
