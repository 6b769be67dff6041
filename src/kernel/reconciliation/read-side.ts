import { type Outcome, unknown } from '../effects/outcome.ts';
import { transact } from '../transact.ts';
import { nextDayWithBreak } from './break-store.ts';
import { takeOverBatch } from './conclude.ts';
import { flawOfPage } from './page-check.ts';
import { dayToRepeat, forward, nextDay } from './pass.ts';
import type { BookPage, BookWindow } from './rail.ts';
import type { RailRun } from './rail-run.ts';
import {
  beginPass,
  endRepetition,
  loadSide,
  type NextPass,
  passPage,
  recordFailure,
  refusePass,
  type Side,
  type SideName,
  storeLines,
} from './side-store.ts';

/** More pages than this for a day are no statement. */
const PAGES_MAX = 4000;
/** A page that has not come by then is no answer. */
const PAGE_MS = 60_000;
/** A window that is stuck for so long is read from its beginning: its cursor may be no more. */
const STUCK_MS = 6 * 3_600_000;

/**
 * Reads one side of a rail up to now, window by window, and once a day the days that are read again. Every
 * page is kept with where the next one begins, so that any process can go on from there. A side that says
 * nothing, or nothing that can be believed, stays where it is.
 */
export async function readSide(ctx: RailRun, name: SideName): Promise<void> {
  let side: Side | undefined;
  while (!ctx.signal.aborted) {
    side ??= await loadSide(ctx.db, ctx.rail.name, name);
    const stepped = await STEPS[side.phase](ctx, side);
    if (stepped === OVER) return;
    side = stepped;
  }
}

/** There is nothing more to be read now. */
const OVER = 'OVER';
type Step = (ctx: RailRun, side: Side) => Promise<Side | undefined | typeof OVER>;

/** Begins the next window, if there is one. */
const beginNext: Step = async (ctx, side) => {
  const next = forward(ctx.rail, side, ctx.upto) ?? (await nextAgain(ctx, side));
  return next === undefined ? OVER : beginPass(ctx.db, side, next, ctx.clock.now());
};

async function nextAgain(ctx: RailRun, side: Side): Promise<NextPass | undefined> {
  const { db, rail, upto: now } = ctx;
  const isForced = ctx.again.has(side.side) && side.again_began === null;
  const again = isForced ? 'all' : dayToRepeat(side, now);
  if (again === undefined) return undefined;
  const next = await nextDayWithBreak(db, side, { again, now });
  const day = nextDay(rail, side, { again, now, next });
  if (day === undefined) {
    if (again === 'all') ctx.again.delete(side.side);
    await endRepetition(db, side, again === 'all', now);
  }
  return day;
}

/** Asks for a page and keeps it, where there is one to be had now. */
const readPage: Step = async (ctx, side) => {
  const { db, clock } = ctx;
  const answer = await ask(ctx, side);
  if (ctx.signal.aborted) return OVER;
  const isStuck = clock.now().getTime() - Date.parse(side.began_at ?? '') > STUCK_MS;
  if (answer.kind === 'unknown' && !isStuck) {
    await recordFailure(db, side, answer.cause, clock.now());
    return OVER;
  }
  if (answer.kind === 'refused') return refuse(ctx, side, `it refuses: ${answer.code}`);
  if (answer.kind === 'unknown') return refuse(ctx, side, answer.cause);
  const flaw = flawOf(answer.value, side);
  return flaw === undefined ? keep(ctx, side, answer.value) : refuse(ctx, side, flaw);
};

const STEPS: Readonly<Record<Side['phase'], Step>> = {
  IDLE: beginNext,
  READING: readPage,
  TAKING_OVER: takeOverBatch,
};

async function refuse(
  { db, clock, log, rail }: RailRun,
  side: Side,
  flaw: string,
): Promise<typeof OVER> {
  await refusePass(db, side, flaw, clock.now());
  log.error({ rail: rail.name, side: side.side, flaw }, 'A statement was refused');
  return OVER;
}

/** Nothing that is asked for may hold the run up, or its end, or end it. */
async function ask({ db, rail, signal }: RailRun, side: Side): Promise<Outcome<BookPage>> {
  const window = windowOf(side);
  const after = side.after ?? undefined;
  let giveUp = (): void => undefined;
  const late = new Promise<Outcome<BookPage>>((resolve) => {
    giveUp = () => resolve(unknown('it does not answer'));
  });
  const timer = setTimeout(giveUp, PAGE_MS).unref();
  signal.addEventListener('abort', giveUp);
  const asked = async (): Promise<Outcome<BookPage>> => {
    if (side.side === 'THEIRS') return rail.theirs(window, after);
    return { kind: 'done', value: await rail.ours(db, window, after) };
  };
  try {
    return await Promise.race([asked().catch(unreadable), late]);
  } finally {
    // What could still end the race would keep its page.
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

const unreadable = (error: unknown) =>
  unknown(error instanceof Error ? `${error.name}: ${error.message}` : 'it cannot be read');

function flawOf(page: BookPage, side: Side): string | undefined {
  if (page.next !== undefined && side.pages + 1 >= PAGES_MAX) return 'it tells without end';
  return flawOfPage(page, windowOf(side), side.after ?? undefined);
}

/** Nothing on a page is new to its window, and yet another page is to follow. */
class Repeated extends Error {}

/** Keeps a page, with where the next one begins, unless it is an earlier one once more. */
async function keep(ctx: RailRun, side: Side, page: BookPage): ReturnType<Step> {
  if (page.lines.length === 0) return passPage(ctx.db, side, page);
  try {
    return await transact(ctx.db, async (tx) => {
      const passed = await passPage(tx, side, page);
      const fresh = passed && (await storeLines(tx, side, page.lines));
      if (fresh === 0 && page.next !== undefined) throw new Repeated();
      return passed;
    });
  } catch (error) {
    if (error instanceof Repeated) return refuse(ctx, side, 'it tells the same lines again');
    throw error;
  }
}

const windowOf = ({ window_from, window_to }: Side): BookWindow => ({
  from: new Date(window_from ?? ''),
  to: new Date(window_to ?? ''),
});
