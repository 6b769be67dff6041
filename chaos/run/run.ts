import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DEMO } from '#src/app/seed.ts';
import type { Finding } from '../checks/findings.ts';
import { checkLeftOver } from '../checks/service.ts';
import { openBooks } from '../clients/books.ts';
import type { ClientDeps } from '../clients/client.ts';
import { createFleet, type Fleet, type Way } from '../fleet/fleet.ts';
import type { Report } from '../fleet/member.ts';
import type { Plan } from '../plan/plan.ts';
import { act } from './act.ts';
import { type Tried, triedStrays } from './controls.ts';
import { clearPlace, makePlace } from './place.ts';
import { type Happened, keep, type Ran } from './report.ts';

export interface Finished extends Ran {
  readonly tried: readonly Tried[];
  /** The path of the report, if there are findings. */
  readonly kept?: string;
}

export interface Running {
  /** Tried after a clean run. */
  readonly controls: readonly string[];
  /** Whether the report of a clean run is written, too. */
  readonly isKept: boolean;
  readonly way: Way;
}

/** One run from an empty folder to the last process's end. */
export async function runPlan(plan: Plan, { controls, isKept, way }: Running): Promise<Finished> {
  const place = await makePlace();
  const record = openRecord();
  const places = { folder: join(place, 'data'), logs: join(place, 'logs') };
  const fleet = await createFleet({
    ...places,
    size: plan.fleet,
    mode: plan.mode,
    report: record.report,
    way,
  });
  const end = () => {
    fleet.abandon();
    return clearPlace(place);
  };
  const interrupted = () => void end().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const tried = await playThrough(plan, fleet, record, controls);
    const { findings, timeline, now } = record;
    const entries = record.books.all();
    const ran = { plan, entries, timeline, findings, seconds: now() / 1000, tried };
    if (!isKept && findings.length === 0) return ran;
    return { ...ran, kept: keep(ran, places.logs) };
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await end();
  }
}

/** The journal of a run. */
function openRecord() {
  const start = performance.now();
  const now = () => performance.now() - start;
  const findings: Finding[] = [];
  const timeline: Happened[] = [];
  const note = (what: string) => void timeline.push({ at: Math.round(now()), what });
  const report: Report = (kind, facts) => {
    const what = JSON.stringify(facts);
    note(`${kind} ${what}`);
    findings.push({ kind, where: 'processes', what });
  };
  return { books: openBooks(), findings, timeline, now, note, report };
}

async function playThrough(
  plan: Plan,
  fleet: Fleet,
  { books, findings, now, note }: ReturnType<typeof openRecord>,
  controls: readonly string[],
): Promise<readonly Tried[]> {
  const deps: ClientDeps = { books, servers: fleet.servers, apiKey: DEMO.apiKey, now };
  const strays: number[] = [];
  try {
    await fleet.start();
    const tried = await act({ plan, fleet, deps, findings, strays, note }, controls);
    note('stop');
    if (plan.blows.some(({ kind }) => kind === 'silence'))
      for (const { number } of fleet.servers) fleet.keepSilence(number);
    await fleet.stop();
    const left = await leftOver(fleet.folder);
    if (strays.length > 0) return [...tried, ...triedStrays(strays, left)];
    findings.push(...left);
    return tried;
  } catch (error) {
    const what = (error as Error).stack ?? String(error);
    findings.push({ kind: 'broken-off', where: 'run', what });
    return [];
  }
}

const LEFT_MS = 5_000;

/** The processes that remain after a while, which they need to end. */
async function leftOver(folder: string): Promise<Finding[]> {
  const since = performance.now();
  for (;;) {
    const left = checkLeftOver(folder);
    if (left.length === 0 || performance.now() - since > LEFT_MS) return left;
    await pause(50);
  }
}
