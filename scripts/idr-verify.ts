import { createApp } from '../src/app/app.ts';
import { loadSecrets } from '../src/app/secrets-file.ts';
import { loadConfig } from '../src/config.ts';
import { compareSupplies, differs, idrDeps, inWords } from '../src/features/idr-token/idr-token.ts';
import { createClock } from '../src/kernel/clock.ts';
import { embeddedDir, startEmbedded } from '../src/kernel/db/embedded.ts';
import { createLog } from '../src/kernel/log.ts';

/**
 * Compares the rupiah tokens on every chain with the rupiah behind them, beside the running service or
 * without it. Ends with 1 when they differ, or when a chain could not be read.
 */

const config = loadConfig({ ...process.env, ROLE: 'api' });
const embedded = config.DATABASE_URL
  ? undefined
  : await startEmbedded({ dir: embeddedDir(config.DATA_DIR) });
const app = await createApp({
  config,
  secrets: await loadSecrets(config),
  databaseUrl: config.DATABASE_URL ?? embedded?.url ?? '',
  clock: createClock(),
  log: createLog('warn'),
});
try {
  const { kernel, evm, providers } = app;
  const deps = idrDeps({ ...kernel, evm, gateway: providers.gateway });
  const compared = await compareSupplies(deps, true);
  for (const one of compared)
    console.log(JSON.stringify({ ...inWords(one), differs: differs(one) }));
  const chains = providers.gateway.issuesToken ? 0 : Object.keys(evm.chains).length;
  if (compared.some(differs) || compared.length < chains + 1) process.exitCode = 1;
} finally {
  await app.close();
  await embedded?.stop();
}
