import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { BenchRow } from './row.ts';

export interface Section {
  readonly title: string;
  readonly rows: readonly BenchRow[];
}

const FILE = join(import.meta.dirname, 'results.md');
const COMPARED = [
  ...['fastify', 'typebox', 'ajv', 'pino', 'pg', 'kysely', 'drizzle-orm', 'zod', 'jose'],
  ...['@node-rs/argon2', 'viem'],
];

const METHOD = `
Everything that is compared runs in one go on one machine: all sides are up at the same time, each
takes bursts of about a second in turn, in the other direction every other round, and a result is the
median over the rounds of the ratio within a round. On a shared machine the clock of one burst may
double from one to the next; neighbours in a round saw the same machine, and CPU per unit hardly
depends on who else is busy. **Capacity** is what CPU says: the microseconds of the other side per
unit, divided by ours, Node and PostgreSQL together. **Rate** is what the clock says.

PostgreSQL is the embedded one, durable (\`fsync\`, \`synchronous_commit\`, \`full_page_writes\`).
Servers are processes of their own and write their log to a file; the load comes from a process of
its own over 64 keep-alive connections where nothing else is said. Of the CPU, (301 + 206) is Node's part
and PostgreSQL's. The *peer* is the same thing
as most would write it: Fastify with its request log, Zod, jose for every request, the API key looked
up in the database, Drizzle (\`bench/http/peer.ts\`, \`bench/ledger/rivals.ts\`). A transfer that is
*booked* is what features do: a row of their own and its postings, in one transaction with those that
come at the same time (\`src/kernel/ledger/posting.ts\`); the rivals store the same. \`npm run bench\`
measures again and ends with 1 when a bar does not hold; \`npm run bench -- --only http,ledger\` prints
parts of it, and \`-- --http top-ups,lone-reads\` groups of the first. What a failover of the database does to payments is in [failover.md](failover.md).
`;

/** The whole run for people, beside the code that made it. */
export async function writeReport(sections: readonly Section[], minutes: number): Promise<void> {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const rows = sections.flatMap((section) => section.rows);
  const missed = rows.filter(({ holds }) => !holds).length;
  const load = loadavg().map((one) => one.toFixed(1));
  const lines = [
    '# Results of the bench',
    '',
    missed === 0 ? 'Every bar holds.' : `${missed} of the bars do not hold.`,
    '',
    '## Method',
    METHOD.trimEnd(),
    '',
    '## Machine',
    '',
    `${cpus().length} x ${cpu?.model.trim()}, ${memory} GiB, ${process.platform} ${release()};`,
    `load average at the end ${load.join(' ')}; the run took ${minutes.toFixed(1)} minutes.`,
    `Node ${process.versions.node}, PostgreSQL 18; ${(await versions()).join(', ')}.`,
    ...sections.flatMap((section) => ['', `## ${section.title}`, '', ...table(section)]),
    '',
  ];
  await writeFile(FILE, lines.join('\n'));
}

export function print({ title, rows }: Section): void {
  console.log(`\n${title}`);
  for (const { bar, what, measured, unit, limit = '', holds, note = '' } of rows)
    console.log(
      `  ${holds ? ' ' : '!'} ${bar.padEnd(3)} ${what.padEnd(66)}`,
      `${shown(measured, unit).padStart(12)} ${limit.padEnd(8)} ${note}`,
    );
}

const table = ({ rows }: Section): string[] => [
  '| bar | what | measured | limit | holds | rates and CPU, medians |',
  '|---|---|---|---|---|---|',
  ...rows.map(
    ({ bar, what, measured, unit, limit = '', holds, note = '' }) =>
      `| ${bar} | ${what} | ${shown(measured, unit)} | ${limit} | ${verdict(limit, holds)} | ${note} |`,
  ),
];

const verdict = (limit: string, holds: boolean): string =>
  limit === '' ? '' : holds ? 'yes' : '**no**';

const shown = (measured: number, unit: string): string =>
  unit === 'times' ? `${measured.toFixed(2)} x` : `${measured.toFixed(1)} ${unit}`;

async function versions(): Promise<string[]> {
  const modules = join(import.meta.dirname, '../node_modules');
  return Promise.all(
    COMPARED.map(async (name) => {
      const text = await readFile(join(modules, name, 'package.json'), 'utf8');
      return `${name} ${(JSON.parse(text) as { version: string }).version}`;
    }),
  );
}
