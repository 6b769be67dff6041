import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClock } from '#kernel/clock.ts';
import { type Db, openDatabase, run } from '#kernel/db/db.ts';
import { done } from '#kernel/effects/outcome.ts';
import { createLog } from '#kernel/log.ts';
import type { BookLine, BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import { reconcileRail } from '#kernel/reconciliation/reconcile.ts';
import type { Place } from './place.ts';
import { atLeast, atMost, type BenchRow, reported } from './row.ts';

const LINES = 100_000;
const FEW = 20_000;
const PAGE = 1000;
const SPAN_MS = 3 * 3_600_000;
/** The memory is measured once in so many pages. */
const WATCHED = 5;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** One of so many is missing on either side. */
const LOST = 1000;

/**
 * A statement of 100,000 lines against as many of ours, durable, all new; then the same again, when all lines
 * are settled and read again. Against the same lines merely stored in pages.
 */
export async function runReconciliationBench({ url }: Place): Promise<BenchRow[]> {
  const { db, close } = openDatabase(url, { max: 4 });
  try {
    // Code and connections are warm, and their memory is known.
    await reconcile(db, 'warm', FEW);
    const few = await reconcile(db, 'few', FEW);
    const many = await reconcile(db, 'many', LINES);
    await check(db, 'many');
    const plain = await write(db, LINES);
    const perSecond = LINES / many.seconds;
    return [
      reported({
        bar: 'Q1',
        what: `A statement of ${LINES} lines reconciled with as many of ours`,
        measured: Math.round(perSecond),
        unit: 'lines/s',
      }),
      atLeast({
        bar: 'Q2',
        what: 'Reconciled, both sides, against the same lines merely written down',
        measured: plain / many.seconds,
        limit: 0.05,
      }),
      atMost({
        bar: 'Q3',
        what: `Memory at the most with ${LINES} lines against ${FEW}`,
        measured: many.peak / few.peak,
        limit: 1.25,
        note: `${Math.round(many.peak)} MB`,
      }),
    ];
  } finally {
    await close();
  }
}

async function reconcile(db: Db, name: string, lines: number) {
  let peak = 0;
  let pages = 0;
  // Garbage is not a need for memory; the engine decides when it goes.
  const watch = () => {
    pages += 1;
    if (pages % WATCHED !== 0) return;
    collect();
    peak = Math.max(peak, process.memoryUsage().heapUsed / 1024 / 1024);
  };
  const clock = createClock();
  const rail = railOf(name, { lines, from: clock.now().getTime() - 2 * SPAN_MS, watch });
  const start = performance.now();
  await reconcileRail({ db, clock, log: createLog('silent') }, rail, {
    signal: new AbortController().signal,
  });
  return { seconds: (performance.now() - start) / 1000, peak };
}

interface Books {
  readonly lines: number;
  readonly from: number;
  watch(): void;
}

/** Books without storage: a page is generated on request. */
function railOf(name: string, books: Books): Rail {
  return {
    name,
    toleranceUnits: 0n,
    graceMs: 600_000,
    isUsed: async () => true,
    ours: async (_, window, after) => pageOf(books, window, { after, lost: 0 }),
    theirs: async (window, after) => done(pageOf(books, window, { after, lost: LOST / 2 })),
  };
}

function pageOf(
  { lines, from, watch }: Books,
  window: BookWindow,
  { after, lost }: { readonly after: string | undefined; readonly lost: number },
): BookPage {
  watch();
  const timeOf = (i: number) => from + Math.floor((i * SPAN_MS) / lines);
  const indexOf = (at: Date) =>
    Math.min(Math.max(Math.ceil(((at.getTime() - from) * lines) / SPAN_MS), 0), lines);
  const start = after === undefined ? indexOf(window.from) : Number(after);
  const end = Math.min(start + PAGE, indexOf(window.to));
  const page: BookLine[] = [];
  for (let i = start; i < end; i += 1)
    if (i % LOST !== lost)
      page.push({
        line: `line-${i}`,
        reference: `PAYMENT-${i}`,
        kind: 'payment',
        asset: 'USD',
        units: BigInt(100 + (i % 977)),
        at: new Date(timeOf(i)),
      });
  return { lines: page, ...(end < indexOf(window.to) ? { next: String(end) } : {}) };
}

async function check(db: Db, rail: string): Promise<void> {
  const [row] = await run<{ lost: number; settled: number }>(
    db,
    `select (select count(*) from reconciliation_breaks where rail = $1) as lost,
       (select count(*) from reconciliation_lines where rail = $1 and state = 'SETTLED') as settled`,
    [rail],
  );
  const lost = (2 * LINES) / LOST;
  if (row?.lost !== lost || row.settled !== 2 * LINES - 2 * lost)
    throw new Error(`The bench came to ${JSON.stringify(row)}`);
}

/** Stores both sides' lines in pages, durably, in the plain way; answers the seconds. */
async function write(db: Db, lines: number): Promise<number> {
  await run(
    db,
    `create table bench_lines (side text, line text, reference text, kind text, asset text,
       units numeric(38, 0), at timestamptz, primary key (side, line))`,
    [],
  );
  const start = performance.now();
  for (const side of ['OURS', 'THEIRS'])
    for (let i = 0; i < lines; i += PAGE)
      await run(
        db,
        `insert into bench_lines select $1, * from unnest($2::text[], $3::text[], $4::text[],
           $5::text[], $6::numeric[], $7::timestamptz[])`,
        [side, ...columns(i)],
      );
  return (performance.now() - start) / 1000;
}

function columns(start: number): string[][] {
  const each = (of: (i: number) => string) => Array.from({ length: PAGE }, (_, i) => of(start + i));
  return [
    each((i) => `line-${i}`),
    each((i) => `PAYMENT-${i}`),
    each(() => 'payment'),
    each(() => 'USD'),
    each((i) => String(100 + (i % 977))),
    each((i) => new Date(i * 1000).toISOString()),
  ];
}
