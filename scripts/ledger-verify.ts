import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/kernel/db/db.ts';
import { embeddedDir, startEmbedded } from '../src/kernel/db/embedded.ts';
import { requireMigrated } from '../src/kernel/db/migrate.ts';
import { verifyWhole } from '../src/kernel/ledger/verify-onward.ts';

/**
 * Recomputes the ledger from its entries, beside the running service or without it, and notes that and what it
 * found. What is posted since is verified by the service itself.
 */

const { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR } = loadConfig(process.env);
const embedded =
  DATABASE_URL === undefined ? await startEmbedded({ dir: embeddedDir(DATA_DIR) }) : undefined;
const url = embedded?.url ?? DATABASE_DIRECT_URL ?? DATABASE_URL ?? '';
try {
  // A check notes only that it was, and changes nothing, least of all the schema that another version runs on.
  await requireMigrated(url);
  const { db, close } = openDatabase(url, { max: 2 });
  try {
    const { accounts, transfers, entries, rules, broken } = await verifyWhole(db, new Date());
    console.log(`${accounts} accounts, ${transfers} transfers, ${entries} entries`);
    for (const { rule, breaks } of broken) {
      console.error(`BROKEN: ${rule}`);
      for (const found of breaks) console.error(`  ${found}`);
    }
    if (broken.length > 0) process.exitCode = 1;
    else console.log(`All ${rules} rules hold.`);
  } finally {
    await close();
  }
} finally {
  await embedded?.stop();
}
