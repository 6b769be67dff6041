import { parseArgs } from 'node:util';
import { BLOW_KINDS, FLEETS, MODES, planRun } from './plan/plan.ts';
import { CONTROLS } from './run/controls.ts';
import { printRun, sumUp } from './run/report.ts';
import { type Finished, runPlan } from './run/run.ts';

/**
 * Does violence to the service while clients use it, then compares their answers with the world. Ends with an error
 * if anything was lost or doubled.
 *
 *   npm run chaos                                 one run of a new seed
 *   npm run chaos -- --seed 7 --runs 20           seeds 7 to 26
 *   npm run chaos -- --seed 7 --plan kill-node    the same workload, with blows of that kind alone
 *   npm run chaos -- --seed 7 --control all       spoils the world afterwards: every spoil must be found
 *
 * `--mode live`, `--fleet four` override the seed; `--keep` writes the report of a clean run, too.
 * `--bundle` runs the service from its bundle and nothing else; `--pooled` on a PostgreSQL that it does not
 * start itself, through a pooler in transaction mode.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string', default: '1' },
    plan: { type: 'string', default: 'all' },
    mode: { type: 'string' },
    fleet: { type: 'string' },
    control: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    bundle: { type: 'boolean', default: false },
    pooled: { type: 'boolean', default: false },
  },
});

/** One of the words, or none; any other ends the program here. */
function wordOf<T extends string>(name: string, given: string | undefined, words: readonly T[]) {
  const found = words.find((word) => word === given);
  if (given === undefined || found !== undefined) return found;
  throw new Error(`--${name} is one of ${words.join(', ')}, not ${given}`);
}

/** Some of the words, by commas, or `all` or none of them. */
function wordsOf<T extends string>(name: string, given: string, words: readonly T[]): readonly T[] {
  if (given === 'all') return words;
  if (given === '' || given === 'none') return [];
  return given.split(',').flatMap((one) => wordOf(name, one, words) ?? []);
}

function numberOf(name: string, given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new Error(`--${name} is a whole number, not ${given}`);
}

if (process.platform !== 'linux') throw new Error('Processes are looked for in /proc: Linux only');
const seed =
  values.seed === undefined ? Math.floor(Date.now() / 1000) % 1e9 : numberOf('seed', values.seed);
const runs = numberOf('runs', values.runs);
const controls = wordsOf(
  'control',
  values.control,
  CONTROLS.map(({ name }) => name),
);
const wishes = {
  kinds: wordsOf('plan', values.plan, BLOW_KINDS),
  mode: wordOf('mode', values.mode, MODES),
  fleet: wordOf('fleet', values.fleet, FLEETS),
};

const all: Finished[] = [];
let failed = 0;
for (let n = 0; n < runs; n += 1) {
  const way = { isBundled: values.bundle, isPooled: values.pooled };
  const ran = await runPlan(planRun(seed + n, wishes), { controls, isKept: values.keep, way });
  all.push(ran);
  printRun(ran);
  if (ran.kept !== undefined) console.error(`  everything about it: ${ran.kept}`);
  const missed = ran.tried.filter(({ isCaught }) => !isCaught).map(({ name }) => name);
  if (ran.tried.length > 0)
    console.log(`  ${ran.tried.length - missed.length} of ${ran.tried.length} controls found`);
  for (const name of missed) console.error(`  CONTROL ${name} was not found`);
  if (ran.findings.length > 0 || missed.length > 0) failed += 1;
}
if (runs > 1) sumUp(all);
process.exit(failed > 0 ? 1 : 0);
