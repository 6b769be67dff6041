import { parseArgs } from 'node:util';
import { migrate, planMigrations } from '../src/kernel/db/migrate.ts';
import { complain, operate } from './operate.ts';

/**
 * Migrates the configured database. The service does the same at every start, unless MIGRATE=off. `--plan` only lists the
 * pending migrations.
 */

const order = orders();
if (order === undefined) complain('Usage: npm run migrate [-- --plan]');
else await operate(({ directUrl }) => bringUpToDate(directUrl, order.plan), { migrated: false });

function orders(): { plan?: boolean } | undefined {
  try {
    return parseArgs({ options: { plan: { type: 'boolean' } } }).values;
  } catch {
    return undefined;
  }
}

async function bringUpToDate(url: string, isPlan = false): Promise<void> {
  const names = isPlan ? await planMigrations(url) : await migrate(url, { log: console.log });
  if (isPlan) for (const name of names) console.log(`Would apply migration ${name}`);
  if (names.length === 0) console.log('The database is up to date.');
}
