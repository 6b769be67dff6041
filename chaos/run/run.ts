import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DEMO } from '#src/seed.ts';
import { checkLeftOver } from '../checks/service.ts';
import { openBooks } from '../clients/books.ts';
import type { ClientDeps } from '../clients/client.ts';
import { createFleet } from '../fleet/fleet.ts';
import type { Plan } from '../plan/plan.ts';
import { act } from './act.ts';
import { type Tried, triedStrays } from './controls.ts';
import type { Finding } from './findings.ts';
import { clearPlace, makePlace } from './place.ts';
import { type Happened, keep, type Ran } from './report.ts';

export interface Finished extends Ran {
  readonly tried: readonly Tried[];
  /** Where the report is, when something was found. */
  readonly kept?: string;
}

/**
 * One run from an empty folder to the last process's end. `controls` are tried after a clean one, whose
 * report is written only when it is to be kept.
 */
export async function runPlan(
  plan: Plan,
  controls: readonly string[],
  isKept: boolean,
): Promise<Finished> {
  const place = await makePlace();
  const interrupted = () => void clearPlace(place).finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    return await runIn(place, plan, controls, isKept);
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await clearPlace(place);
  }
}

async function runIn(
  place: string,
  plan: Plan,
  controls: readonly string[],
  isKept: boolean,
): Promise<Finished> {
  const start = performance.now();
  const now = () => performance.now() - start;
  const findings: Finding[] = [];
  const timeline: Happened[] = [];
  const note = (what: string) => void timeline.push({ at: Math.round(now()), what });
  const logs = join(place, 'logs');
  const fleet = await createFleet({
    ...{ folder: join(place, 'data'), logs, size: plan.fleet, mode: plan.mode },
    report(kind, facts) {
      note(`${kind} ${JSON.stringify(facts)}`);
      findings.push({ kind, where: 'processes', what: JSON.stringify(facts) });
    },
  });
  const books = openBooks();
  const deps: ClientDeps = { books, doors: fleet.doors, apiKey: DEMO.apiKey, now };
  const strays: number[] = [];
  let tried: readonly Tried[] = [];
  try {
    await fleet.start();
    tried = await act({ plan, fleet, deps, findings, strays, note }, controls);
    note('stop');
    if (plan.blows.some(({ kind }) => kind === 'silence'))
      for (const { number } of fleet.doors) fleet.keepSilence(number);
    await fleet.stop();
    const left = await leftOver(fleet.folder);
    if (strays.length === 0) findings.push(...left);
    else tried = [...tried, ...triedStrays(strays, left)];
  } catch (error) {
    const what = (error as Error).stack ?? String(error);
    findings.push({ kind: 'broken-off', where: 'run', what });
  }
  const ran = { plan, entries: books.all(), timeline, findings, seconds: now() / 1000 };
  return { ...ran, tried, ...((isKept || findings.length > 0) && { kept: keep(ran, logs) }) };
}

const LEFT_MS = 5_000;

/** What is still there after a while, which processes need to go. */
async function leftOver(folder: string): Promise<Finding[]> {
  const since = performance.now();
  for (;;) {
    const left = checkLeftOver(folder);
    if (left.length === 0 || performance.now() - since > LEFT_MS) return left;
    await pause(50);
  }
}
