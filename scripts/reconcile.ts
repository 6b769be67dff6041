import { parseArgs } from 'node:util';
import type { App } from '../src/app/app.ts';
import { openBreaks, railProgress } from '../src/kernel/reconciliation/break-store.ts';
import { reconcileRail } from '../src/kernel/reconciliation/reconcile.ts';
import { besideService, printJson, printTable } from './beside.ts';
import { complain } from './operate.ts';

/**
 * Compares the books of every rail now, beside the running service, and reads differing lines once more.
 * Ends with 1 for an unexplained difference, or if a rail could not be compared.
 */
const USAGE = `Usage: npm run reconcile [-- --rail <name>] [--json]`;

const order = orders();
if (order === undefined) complain(USAGE);
else await besideService((app) => reconcile(app, order));

function orders() {
  try {
    const options = { rail: { type: 'string' }, json: { type: 'boolean' } } as const;
    return parseArgs({ options }).values;
  } catch {
    return undefined;
  }
}

async function reconcile(
  { kernel, features }: App,
  { rail: name, json }: { rail?: string | undefined; json?: boolean | undefined },
): Promise<void> {
  const rails = features.rails.filter((rail) => name === undefined || rail.name === name);
  if (name !== undefined && rails.length === 0) {
    const known = features.rails.map((rail) => rail.name).join(', ');
    return complain(`There is no rail ${name}; there are ${known}.`);
  }
  const { signal } = new AbortController();
  await Promise.all(rails.map((rail) => reconcileRail(kernel, rail, { signal, again: true })));
  const names = rails.map((one) => one.name);
  const standings = await railProgress(kernel.db, names);
  const breaks = (await openBreaks(kernel.db)).filter(({ rail }) => names.includes(rail));
  if (json) printJson({ rails: standings, breaks });
  else {
    printTable('How far each rail is compared', standings);
    printTable('Books that differ (GET /reconciliation/breaks)', breaks);
  }
  if (breaks.length > 0 || standings.some(({ failure }) => failure !== null)) process.exitCode = 1;
}
