import { adoptChains } from '#chains/evm/adopt-chains.ts';
import { evmSettings } from '#chains/evm/configure.ts';
import { createNetwork } from '#chains/evm/network.ts';
import { CHAIN_KEYS, isChainKey, platformKeys } from '#chains/evm/port.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { adoptAssets } from '#kernel/ledger/adopt-assets.ts';
import { createLog } from '#kernel/log.ts';
import { loadSecrets } from '#src/app/start/secrets-file.ts';
import { openEmbedded } from './operate.ts';

/**
 * Deploys the contracts on the chains named, each reached by its configured RPC URL, and prints the
 * setting that makes the service use them. Existing ones are not deployed again, so a
 * failed run is simply repeated.
 */

const named = process.argv.slice(2);
const config = loadConfig(process.env);
const keys = platformKeys((await loadSecrets(config)).EVM_MNEMONIC);
const embedded = config.DATABASE_URL ? undefined : await openEmbedded(config.DATA_DIR);
const url = config.DATABASE_URL ?? embedded?.url ?? '';
await migrate(url);
const { db, close } = openDatabase(url, { max: 4 });
await adoptAssets(db);
await adoptChains(db);
const chosen = named.filter(isChainKey);
if (chosen.length === 0 || chosen.length < named.length) {
  const chains = CHAIN_KEYS.join('|');
  console.error(`Usage: node scripts/run.mjs scripts/deploy-contracts.ts ${chains} …`);
  await close();
  await embedded?.stop();
  process.exit(2);
}
const network = createNetwork({
  db,
  log: createLog(config.LOG_LEVEL),
  keys,
  ...evmSettings(config),
});
try {
  console.log(`The deployer ${keys.deployer.address} pays the gas.`);
  const deployed = await Promise.all(
    chosen.map(async (key) => [key, await network.chains[key].deploy()] as const),
  );
  console.log(`EVM_CONTRACTS='${JSON.stringify(Object.fromEntries(deployed))}'`);
} finally {
  await network.stop();
  await close();
  await embedded?.stop();
}
