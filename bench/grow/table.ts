import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measured } from './measure.ts';

export interface Run {
  readonly scale: number;
  readonly rows: readonly Measured[];
}

/** More than this at the larger scale, and by more than a handful of blocks, is growth. */
const TIMES = 2;
const HANDFUL = 60;

/** Each case at both scales: what it costs, and how much more that is. */
export function tableOf(one: Run, other: Run): string {
  const lines = one.rows.map((small) => {
    const large = other.rows.find(({ name }) => name === small.name) ?? small;
    const times = large.blocks / Math.max(1, small.blocks);
    const grows = times > TIMES && large.blocks - small.blocks > HANDFUL;
    return [
      small.name,
      small.status === large.status ? small.status : `${small.status}/${large.status}`,
      large.statements,
      `${small.blocks} → ${large.blocks}`,
      `${times.toFixed(1)}${grows ? ' **grows**' : ''}`,
      `${small.databaseMs.toFixed(2)} → ${large.databaseMs.toFixed(2)}`,
      `${small.ms.toFixed(1)} → ${large.ms.toFixed(1)}`,
    ].join(' | ');
  });
  return [
    `| request | status | statements | blocks at ${one.scale} → ${other.scale} | times | database ms | ms |`,
    '|---|---|---|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
}

/** Writes `bench/growth.md` anew. */
export async function writeTable(table: string, one: Run, other: Run): Promise<void> {
  const text = `# What a request costs as the service grows

Written by \`npm run grow -- --measure --scale ${one.scale},${other.scale}\`. At scale 100 there are a million
users, 13 million ledger entries (half a million of one wallet), half a million chain transactions, two
million rows of audit and 100,000 waiting jobs; at scale 1 a hundredth of each. Blocks are 8 kB of the
database that one warm request looks at, in all its statements, and are exact; times are of a shared machine
and say little. **grows** marks what takes more than twice the blocks at the larger scale.

${table}
`;
  await writeFile(join(import.meta.dirname, '../growth.md'), text);
}
