import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Measured } from './measure.ts';
import { sizesAt } from './sizes.ts';

export interface Run {
  readonly scale: number;
  readonly rows: readonly Measured[];
  /** The machine's load during the measurement. */
  readonly load: number;
  readonly gigabytes: number;
}

/** More than this at the larger scale is growth, and more than a handful of blocks or moments. */
const TIMES = 2;
const HANDFUL = 60;
const MOMENT_MS = 1;

/** Each case at both scales: its cost, and the growth. */
export function tableOf(one: Run, other: Run): string {
  const lines = one.rows.map((small) => {
    const large = other.rows.find(({ name }) => name === small.name) ?? small;
    return [
      small.name,
      small.status === large.status ? small.status : `${small.status}/${large.status}`,
      large.statements,
      `${small.blocks} → ${large.blocks}`,
      compared(small.blocks, large.blocks, HANDFUL),
      `${small.databaseMs.toFixed(2)} → ${large.databaseMs.toFixed(2)}`,
      compared(small.databaseMs, large.databaseMs, MOMENT_MS),
      `${small.ms.toFixed(1)} → ${large.ms.toFixed(1)}`,
    ].join(' | ');
  });
  return [
    `| what | ends | statements | blocks at ${one.scale} → ${other.scale} | times | database ms | times | ms |`,
    '|---|---|---|---|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
}

function compared(small: number, large: number, handful: number): string {
  if (small === 0 && large === 0) return '';
  const times = large / Math.max(small, handful / 100);
  const grows = large > TIMES * small && large - small > handful;
  return `${times.toFixed(1)}${grows ? ' **grows**' : ''}`;
}

/** Writes `bench/growth.md`. */
export async function writeTable(table: string, one: Run, other: Run): Promise<void> {
  const text = `# What a request and a schedule cost as the service grows

Written by \`npm run grow -- --measure --scale ${one.scale},${other.scale}\` on ${new Date().toISOString().slice(0, 10)}:
${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, the embedded PostgreSQL 18 as the product
has it but for fsync. Load of the machine, which others used too: ${one.load} and ${other.load}. Databases of
${one.gigabytes} and ${other.gigabytes} GB, with

| rows | ${one.scale} | ${other.scale} |
|---|---|---|
${sizesTable(one.scale, other.scale)}

Each row is of 15 requests after six that were not counted, or of five runs of a schedule after three. Blocks are 8 kB
of the database that all its statements look at, of the middle one; times are the quickest, as neighbours only add to them.
**grows** marks what takes more than twice at the larger scale, and more than ${HANDFUL} blocks or ${MOMENT_MS} ms more.

${table}
`;
  await writeFile(join(import.meta.dirname, '../growth.md'), text);
}

/** The load of the last fifteen minutes. */
export const loadNow = (): number => Number(loadavg()[2]?.toFixed(1));

const number = (n: number) => n.toLocaleString('en');

function sizesTable(one: number, other: number): string {
  const [small, large] = [rowsAt(one), rowsAt(other)];
  return Object.entries(small)
    .map(([what, n]) => `| ${what} | ${number(n)} | ${number(large[what] ?? 0)} |`)
    .join('\n');
}

function rowsAt(scale: number): Record<string, number> {
  const sizes = sizesAt(scale);
  return {
    users: sizes.users,
    'ledger entries': 2 * (6 * sizes.users + sizes.busyTransfers),
    'of them in one wallet': sizes.busyTransfers,
    'card transactions': sizes.cardTransactions,
    'chain transactions': sizes.chainTransactions,
    'transfers across chains': sizes.crosschain,
    audit: sizes.audit,
    sessions: sizes.sessions,
    events: sizes.events,
    'waiting jobs': sizes.jobs,
    'ended work and orders, each': sizes.ended,
    'conversions, bank top-ups, Cardano, XRPL, each': sizes.moved,
  };
}
