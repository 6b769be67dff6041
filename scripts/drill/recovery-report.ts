import { writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { ARCHIVE_TIMEOUT_S } from './archived-server.ts';

/** One restore to a moment. */
export interface Restore {
  readonly at: Date;
  /** Transfers of the ledger in it. */
  readonly transfers: number;
  /** Committed before the moment, and not in it. */
  readonly lost: number;
  /** Committed after the moment, and in it. */
  readonly tooMany: number;
  readonly restoredMs: number;
  /** What the check of a copy finds wrong. */
  readonly findings: readonly string[];
}

/** The restore after the disk was lost. */
export interface Loss {
  /** Acknowledged payments that the archive did not have. */
  readonly lost: number;
  /** From the newest payment that it has to the loss. */
  readonly recoveryPointMs: number;
  readonly restoredMs: number;
  readonly findings: readonly string[];
}

/** A file of the log is ended after `archive_timeout`, and copied after that. */
const POINT_MAX_MS = (ARCHIVE_TIMEOUT_S + 5) * 1000;

/** Violations, in words. */
export const recoveryFaults = (restores: readonly Restore[], loss: Loss): string[] => [
  ...restores.flatMap(({ lost, tooMany, findings }, i) => [
    ...(lost > 0 ? [`restore ${i + 1} lacks ${lost} transfers from before its moment`] : []),
    ...(tooMany > 0 ? [`restore ${i + 1} has ${tooMany} transfers from after its moment`] : []),
    ...findings.map((finding) => `restore ${i + 1}: ${finding}`),
  ]),
  ...loss.findings.map((finding) => `the last restore: ${finding}`),
  ...(loss.recoveryPointMs > POINT_MAX_MS
    ? [`${seconds(loss.recoveryPointMs)} were lost with the disk`]
    : []),
];

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export const restoreLine = (n: number, one: Restore): string =>
  `| ${n} | ${one.at.toISOString()} | ${one.transfers} | ${one.lost} | ${one.tooMany} | ${seconds(one.restoredMs)} | ${one.findings.length} |`;

interface Recovery {
  readonly restores: readonly Restore[];
  readonly loss: Loss;
  /** By the service to all clients. */
  readonly acknowledged: number;
}

/** The whole drill for people. */
export async function writeRecovery(
  path: string,
  { restores, loss, acknowledged }: Recovery,
): Promise<void> {
  const faults = recoveryFaults(restores, loss);
  const lines = [
    '# The recovery drill',
    '',
    faults.length === 0 ? 'Everything holds.' : `Does not hold: ${faults.join('; ')}.`,
    '',
    '`npm run drill:recovery` (`scripts/drill/`) runs the service on a PostgreSQL that archives its log, with clients that',
    'top wallets up from cards. Base backups are made under that load. Again and again one is copied and replayed to a',
    'moment in between; every transfer of the ledger that had committed by then has to be in it, and none from after. The',
    'check of a copy (`restore:check`) has to find nothing wrong. At last the server is killed and its disk deleted, and',
    'the newest payment that backup and archive lead to says what was lost.',
    '',
    `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${process.platform} ${release()}; \`archive_timeout\` is ${ARCHIVE_TIMEOUT_S} s here, and a minute in the runbook.`,
    '',
    '| what | seen |',
    '|---|---|',
    `| restores to a moment | ${restores.length} |`,
    `| transfers lost, or from after the moment | ${sum(restores.map(({ lost }) => lost))}, ${sum(restores.map(({ tooMany }) => tooMany))} |`,
    `| longest restore | ${seconds(Math.max(...restores.map(({ restoredMs }) => restoredMs)))} |`,
    `| lost with the disk | ${loss.lost} of ${acknowledged} acknowledged payments |`,
    `| recovery point, from the newest payment to the loss | ${seconds(loss.recoveryPointMs)} |`,
    `| restore after the loss | ${seconds(loss.restoredMs)} |`,
    '',
    '| | moment | transfers | lost | too many | restored in | wrong |',
    '|---|---|---|---|---|---|---|',
    ...restores.map((one, i) => restoreLine(i + 1, one)),
    '',
  ];
  await writeFile(path, lines.join('\n'));
}

const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
