import { writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import type { Books } from './books.ts';
import { TIMES } from './cluster-files.ts';
import type { Failover } from './measures.ts';

export interface Outcome {
  readonly failovers: readonly Failover[];
  readonly clients: number;
  /** Against the simulated card network, and not in mock mode. */
  readonly live: boolean;
  readonly books: Books;
  /** Processes of the service that ended before the drill did. */
  readonly restarted: number;
  readonly minutes: number;
}

/** The time after the database's return in which a key may still be in progress. */
const IN_PROGRESS_MS = 2000;

/** Violations, in words. */
export const broken = ({ failovers, books, restarted }: Outcome): string[] => [
  ...(books.lost > 0 ? [`${books.lost} acknowledged top-ups are lost`] : []),
  ...(books.doubled > 0 ? [`${books.doubled} top-ups are there that no client was told of`] : []),
  ...books.wrong,
  ...(restarted > 0 ? [`${restarted} processes of the service have ended`] : []),
  ...failovers
    .filter(({ inProgressMs }) => inProgressMs > IN_PROGRESS_MS)
    .map(({ inProgressMs }) => `a key was in progress for ${s(inProgressMs)} too long`),
];

const s = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const most = (all: readonly number[]): number => Math.max(...all);
const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

export const line = (n: number, one: Failover): string =>
  `| ${n} | ${one.node} | ${s(one.backMs)} | ${s(one.silentMs)} | ${one.unavailable} | ${one.inProgress} | ${one.limited} | ${one.lost} | ${s(one.inProgressMs)} | ${s(one.rejoinMs)} |`;

/** The whole drill for people. */
export async function writeReport(path: string, outcome: Outcome): Promise<void> {
  const { failovers, clients, live, books, restarted, minutes } = outcome;
  const of = (field: Exclude<keyof Failover, 'node'>) => failovers.map((one) => one[field]);
  const faults = broken(outcome);
  const lines = [
    '# The failover drill',
    '',
    faults.length === 0 ? 'Everything holds.' : `Does not hold: ${faults.join('; ')}.`,
    '',
    '`npm run drill:failover` (`scripts/drill/`) starts three PostgreSQL under Patroni with synchronous',
    'replication, etcd, HAProxy in front, Redis, two `api` and one `worker` process, all on one machine,',
    `and ${clients} clients that top wallets up from cards, ${live ? 'against the simulated card network' : 'in mock mode'}, each with an`,
    '`Idempotency-Key` of its own that is repeated, at the other process each time, until it is answered.',
    "The leader's Patroni and postmaster are killed with `kill -9` in the middle of it, and join again",
    'before the next one is. At the end every acknowledged top-up is looked for in the histories, the',
    'balances, the books of the card network and the ledger.',
    '',
    `Patroni misses a leader after \`ttl\` ${TIMES.ttl} s (\`loop_wait\` ${TIMES.loop_wait} s, \`retry_timeout\` ${TIMES.retry_timeout} s), so that many`,
    'failovers fit into a drill; its defaults are 30, 10 and 10, and the time without a leader grows with',
    'them. The rest of it is recovery, the look of HAProxy every half second, and our own.',
    '',
    `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${process.platform} ${release()}; ${failovers.length} failovers in ${minutes.toFixed(0)} minutes.`,
    '',
    '| what | seen |',
    '|---|---|',
    `| acknowledged top-ups | ${books.acknowledged} |`,
    `| attempts that the card network never heard of, made again under the same key | ${books.givenUp} |`,
    `| lost | ${books.lost} |`,
    `| doubled | ${books.doubled} |`,
    `| ledger, balances, card network | ${books.wrong.length === 0 ? 'agree' : 'do not agree'} |`,
    `| processes of the service that had to be restarted | ${restarted} |`,
    `| from the kill to the first success, median and longest | ${s(median(of('backMs')))}, ${s(most(of('backMs')))} |`,
    `| longest time without a success | ${s(most(of('silentMs')))} |`,
    `| longest 409 \`IDEMPOTENCY_IN_PROGRESS\` after the first success (limit 2 s) | ${s(most(of('inProgressMs')))} |`,
    `| answers meanwhile | ${sum(of('unavailable'))} x 503, ${sum(of('inProgress'))} x 409, ${sum(of('limited'))} x 429, ${sum(of('lost'))} without one |`,
    '',
    '| | leader | first success | without a success | 503 | 409 | 429 | no answer | last 409 after it | joined again |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...failovers.map((one, i) => line(i + 1, one)),
    '',
  ];
  await writeFile(path, lines.join('\n'));
}
