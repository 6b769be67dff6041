import { parseArgs } from 'node:util';
import { loadSecrets } from '../src/app/start/secrets-file.ts';
import { verifyAudit } from '../src/features/messaging/activity/activity.ts';
import { openDatabase } from '../src/kernel/db/db.ts';
import { createVault } from '../src/kernel/secrets/vault.ts';
import { complain, operate } from './operate.ts';

/**
 * Compares the audit log with its seals, beside the running service or without it. Changes nothing, and ends with 1 if
 * they differ, or if the newest seal from elsewhere is not among them.
 */
const USAGE = `Usage: npm run audit:verify [-- --seal <mark>]
  --seal <mark>  one that the service has logged ("the audit log is sealed"): it has to be there still
MASTER_KEY is that of the service's settings.`;

const wanted = orders();
if (wanted === undefined) complain(USAGE);
else
  await operate(async ({ config, directUrl }) => {
    const { MASTER_KEY } = await loadSecrets(config);
    const { db, close } = openDatabase(directUrl, { max: 1 });
    try {
      const options = { vault: createVault(MASTER_KEY), seen: wanted.seal };
      const { lines, seals, unsealed, newest, broken } = await verifyAudit(db, options);
      console.log(`${lines} lines under ${seals} seals, ${unsealed} not sealed yet`);
      if (newest) console.log(`The newest seal is ${newest}`);
      for (const found of broken) console.error(`BROKEN: ${found}`);
      if (broken.length > 0) process.exitCode = 1;
      else console.log('All of it is as it was written.');
    } finally {
      await close();
    }
  });

function orders(): { readonly seal?: string | undefined } | undefined {
  try {
    const { seal } = parseArgs({ options: { seal: { type: 'string' } } }).values;
    return seal === undefined || /^[\da-f]{64}$/.test(seal) ? { seal } : undefined;
  } catch {
    return undefined;
  }
}
