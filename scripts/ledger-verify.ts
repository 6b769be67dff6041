import { HOLD_OWNERS } from '../src/app/hold-owners.ts';
import { openDatabase } from '../src/kernel/db/db.ts';
import { verifyWhole } from '../src/kernel/ledger/verify-onward.ts';
import { operate } from './operate.ts';

/**
 * Recomputes the ledger from its entries, beside the running service or without it, and stores
 * the run and its findings. The service itself verifies later postings. It changes nothing else, least of all the schema
 * that another version runs on.
 */

await operate(async ({ directUrl }) => {
  const { db, close } = openDatabase(directUrl, { max: 2 });
  try {
    const { accounts, transfers, entries, rules, broken } = await verifyWhole(
      db,
      new Date(),
      HOLD_OWNERS,
    );
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
});
