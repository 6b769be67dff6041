import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '#embedded/embedded.ts';
import { migrate } from '#kernel/db/migrate.ts';

import { runAgentBench } from './agent.ts';
import { runCardanoBench } from './cardano.ts';
import { runChainBench } from './chains.ts';
import { runConversionBench } from './conversions.ts';
import { runHostileBench } from './hostile/hostile-bench.ts';
import { runHttpBench } from './http/http-bench.ts';
import { runIdrTokenBench } from './idr-token.ts';
import { runJobsBench } from './jobs.ts';
import { runLedgerBench } from './ledger/ledger-bench.ts';
import { runMarketplaceBench } from './marketplace.ts';
import { runPasswordBench } from './passwords.ts';
import type { Place } from './place.ts';
import { runPointReadBench } from './point-read.ts';
import { runPurchaseBench } from './purchases.ts';
import { runReconciliationBench } from './reconciliation.ts';
import { print, type Section, writeReport } from './report.ts';
import type { BenchRow } from './row.ts';
import { runStartBench } from './start.ts';
import { runStatementsBench } from './statements/statements-bench.ts';
import { runWebhookBench } from './webhooks/webhooks-bench.ts';
import { runXrplBench } from './xrpl.ts';

const PARTS: Readonly<Record<string, { title: string; run(): Promise<BenchRow[]> }>> = {
  http: {
    title: 'HTTP',
    run: () =>
      inPlace((place) => runHttpBench(place, { rounds: 9, ms: 700 }, values.http?.split(','))),
  },
  statements: { title: 'Round trips', run: () => inPlace(runStatementsBench) },
  hostile: { title: 'Hostile requests', run: () => inPlace(runHostileBench) },
  database: {
    title: 'Database',
    run: () => inPlace((place) => runPointReadBench(place, { rounds: 5, ms: 800 })),
  },
  ledger: {
    title: 'Ledger',
    run: () => inPlace((place) => runLedgerBench(place, { rounds: 7, ms: 700 })),
  },
  jobs: {
    title: 'Durable work',
    run: () => inPlace((place) => runJobsBench(place, { rounds: 7, ms: 700 })),
  },
  passwords: { title: 'Log-ins', run: () => runPasswordBench({ rounds: 5, ms: 1000 }) },
  start: { title: 'Start', run: () => inPlace((place) => runStartBench(place, 5)) },
  chains: { title: 'Chains', run: () => inPlace(runChainBench) },
  conversions: { title: 'Conversions', run: () => inPlace(runConversionBench) },
  cardano: { title: 'Cardano', run: () => inPlace(runCardanoBench) },
  reconciliation: { title: 'Reconciliation', run: () => inPlace(runReconciliationBench) },
  marketplace: { title: 'Marketplace', run: () => inPlace(runMarketplaceBench) },
  purchases: { title: 'Purchases', run: () => inPlace(runPurchaseBench) },
  'idr-token': { title: 'Rupiah tokens', run: () => inPlace(runIdrTokenBench) },
  webhooks: { title: 'Webhooks', run: () => inPlace(runWebhookBench) },
  xrpl: { title: 'XRP Ledger', run: () => inPlace(runXrplBench) },
  agent: { title: 'Agent', run: () => inPlace(runAgentBench) },
};

const { values } = parseArgs({ options: { only: { type: 'string' }, http: { type: 'string' } } });
const chosen = values.only?.split(',') ?? (values.http ? ['http'] : Object.keys(PARTS));
const unknown = chosen.filter((name) => !(name in PARTS));
if (unknown.length > 0) throw new Error(`There is no ${unknown}, only ${Object.keys(PARTS)}`);

const sections: Section[] = [];
const start = performance.now();
for (const [name, { title, run }] of Object.entries(PARTS)) {
  if (!chosen.includes(name)) continue;
  const section = { title, rows: await run() };
  print(section);
  sections.push(section);
}
const minutes = (performance.now() - start) / 60_000;
// A single part is for inspection; results.md is always of one whole run.
if (values.only === undefined && values.http === undefined) await writeReport(sections, minutes);
const missed = sections.flatMap(({ rows }) => rows.filter(({ holds }) => !holds));
for (const { bar, what, limit } of missed) console.error(`${bar} does not hold: ${what} ${limit}`);
process.exit(missed.length > 0 ? 1 : 0);

/** A server and a folder for one part; gone afterwards, also when the run is interrupted. */
async function inPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'archipay-bench-'));
  const server = await startEmbedded({ dir: join(dir, 'postgres'), durable: true });
  const clear = async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  };
  const interrupted = () => void clear().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    await migrate(server.url);
    return await work({ url: server.url, dir });
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await clear();
  }
}
