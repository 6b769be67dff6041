import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../checks/findings.ts';
import { type Entry, isDone } from '../clients/books.ts';
import type { Plan } from '../plan/plan.ts';

export interface Happened {
  /** Milliseconds after the beginning of the run. */
  readonly at: number;
  readonly what: string;
}

export interface Ran {
  readonly plan: Plan;
  readonly entries: readonly Entry[];
  readonly timeline: readonly Happened[];
  readonly findings: readonly Finding[];
  readonly seconds: number;
}

const SHOWN = 12;

/** One line, and the findings. */
export function printRun({ plan, entries, findings, seconds }: Ran): void {
  const { seed, mode, fleet, blows } = plan;
  const attempts = entries.reduce((sum, entry) => sum + entry.attempts.length, 0);
  const done = entries.filter(isDone).length;
  const processes = fleet === 'one' ? 'one process' : 'four processes';
  console.log(
    `seed ${seed}: ${mode}, ${processes}, ${blows.length} blows, ${entries.length} operations in ` +
      `${attempts} attempts, ${done} acknowledged, ${seconds.toFixed(1)} s: ` +
      (findings.length === 0 ? 'nothing lost, nothing doubled' : `${findings.length} FINDINGS`),
  );
  for (const { kind, where, what } of findings.slice(0, SHOWN))
    console.error(`  ${kind.toUpperCase()} ${where}: ${what.slice(0, 400)}`);
  if (findings.length > SHOWN) console.error(`  and ${findings.length - SHOWN} more`);
}

/** The summary of several runs. */
export function sumUp(all: readonly Ran[]): void {
  const entries = all.flatMap((ran) => ran.entries);
  const attempts = entries.reduce((sum, entry) => sum + entry.attempts.length, 0);
  const done = entries.filter(isDone).length;
  const kinds = Map.groupBy(
    all.flatMap(({ plan }) => plan.blows),
    ({ kind }) => kind,
  );
  const blows = [...kinds].map(([kind, list]) => `${list.length} ${kind}`).sort();
  const failed = all.filter(({ findings }) => findings.length > 0).map(({ plan }) => plan.seed);
  console.log(
    `${all.length} runs, ${entries.length} operations in ${attempts} attempts, ${done} acknowledged; ` +
      `${blows.join(', ')}: ${failed.length === 0 ? 'nothing found' : `FINDINGS in seeds ${failed}`}`,
  );
}

/** Writes everything that helps to understand the findings, and answers the folder. */
export function keep({ plan, entries, timeline, findings }: Ran, logs: string): string {
  const { seed, mode, fleet, blows, clients } = plan;
  const folder = join(tmpdir(), `archipay-chaos-seed-${seed}-${Date.now()}`);
  mkdirSync(folder, { recursive: true });
  cpSync(logs, join(folder, 'logs'), { recursive: true });
  const about = new Set(findings.flatMap(({ keys = [] }) => keys));
  const report = {
    seed,
    mode,
    fleet,
    findings,
    blows,
    timeline,
    about: entries.filter(({ operation }) => about.has(operation.key)),
    others: entries.filter(({ operation }) => !about.has(operation.key)),
    clients,
  };
  const text = JSON.stringify(
    report,
    (_, value) => (typeof value === 'bigint' ? `${value}` : value),
    1,
  );
  writeFileSync(join(folder, 'report.json'), text);
  return folder;
}
