import { openPayouts, type PayoutRow, payoutTotals } from '#features/fiat/payouts/payouts.ts';
import type { BookLine } from '#kernel/reconciliation/rail.ts';
import type { ConversionDeps } from './deps.ts';
import { mustTell } from './told.ts';

/** Units of IDR: more is not certain, and less is. */
export interface ConversionSpan {
  readonly least: bigint;
  readonly most: bigint;
}
export const NONE: ConversionSpan = { least: 0n, most: 0n };

/** What the gateway may have done that is not booked, line by line. */
export interface LookUpResult {
  /** Asked for without an answer, and taken off there. */
  readonly goingOut: ConversionSpan;
  /** Paid there, and not booked here when that was read. */
  readonly paid: readonly BookLine[];
  /** Some of them pay nothing that they came for. */
  readonly hasMisfits: boolean;
  readonly readAt: Date;
}

/** So many pay-outs are asked for one by one; what is beyond may be taken off or not. */
const LINES_MAX = 200;
const AT_ONCE = 10;
/** Pages of the gateway's statement. */
const PAGES_MAX = 200;
const HOUR_MS = 3_600_000;
/** Nothing can be paid for longer. */
const DAY_MS = 25 * HOUR_MS;
/** The gateway's clock may be so much apart. */
const SKEW_MS = 5000;
/** A request for a pay-out is on its way for no longer than that. */
const CALL_MS = 60_000;

interface Need {
  /** The gateway has more than the books, so that somebody may have paid. */
  readonly isMore: boolean;
  /** The latest hour mostly tells; a payment that nobody has told us of may be a day old. */
  readonly isFirst: boolean;
}

/** Looks at each line that is open. What turns out to be over is booked, so that it need not be explained. */
export async function lookCloser(deps: ConversionDeps, need: Need): Promise<LookUpResult> {
  const readAt = deps.clock.now();
  const goingOut = await lookAtPayouts(deps, need);
  if (!need.isMore) return { goingOut, paid: [], hasMisfits: false, readAt };
  const from = new Date(readAt.getTime() - (need.isFirst ? HOUR_MS : DAY_MS));
  const lines = await paymentsSince(deps, from);
  const unbooked = await deps.payments.unbooked(lines);
  const paid = lines.filter(({ line }) => unbooked.has(line));
  await deps.payments.followUp(paid.map(({ reference }) => reference));
  const hasMisfits = [...unbooked.values()].includes(false);
  return { goingOut, paid, hasMisfits, readAt };
}

/** What was paid after the statement was read, and may be in the balance or not. */
export async function paidLately(
  deps: ConversionDeps,
  { paid, readAt }: LookUpResult,
): Promise<bigint> {
  const known = new Set(paid.map(({ line }) => line));
  const lines = await paymentsSince(deps, new Date(readAt.getTime() - SKEW_MS));
  const late = lines.filter(({ line, at }) => !known.has(line) && at >= readAt);
  return late.reduce((sum, { units }) => sum + units, 0n);
}

async function paymentsSince({ gateway, clock }: ConversionDeps, from: Date): Promise<BookLine[]> {
  const window = { from, to: new Date(clock.now().getTime() + SKEW_MS) };
  const all: BookLine[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { lines, next } = mustTell('The gateway', await gateway.statement(window, after));
    all.push(...lines.filter(({ kind }) => kind === 'payment'));
    if (next === undefined) break;
    after = next;
  }
  return all;
}

async function lookAtPayouts(deps: ConversionDeps, { isMore }: Need): Promise<ConversionSpan> {
  const at = deps.clock.now();
  const lines = await openPayouts(deps.db, LINES_MAX);
  const { asked } = await payoutTotals(deps.db);
  const beyond = asked - sumOf(lines.filter(isAsked));
  // One that is sent was taken off for certain; it explains a surplus where it has failed since.
  const some = isMore ? lines : lines.filter(isAsked);
  let span: ConversionSpan = { least: 0n, most: beyond > 0n ? beyond : 0n };
  for (let from = 0; from < some.length; from += AT_ONCE) {
    const looked = some.slice(from, from + AT_ONCE).map((line) => lookAtPayout(deps, at, line));
    for (const one of await Promise.all(looked)) span = plus(span, one);
  }
  return span;
}

const isAsked = ({ state }: PayoutRow): boolean => state === 'ASKED';

async function lookAtPayout(
  { payouts }: ConversionDeps,
  at: Date,
  line: PayoutRow,
): Promise<ConversionSpan> {
  const told = await payouts.look(line.reference);
  if (!isAsked(line)) return NONE;
  const may = { least: 0n, most: line.units };
  if (told.kind !== 'done' || at.getTime() - Date.parse(line.asked_at) < CALL_MS) return may;
  const isTaken = told.value !== undefined && told.value.status !== 'FAILED';
  return isTaken ? { least: line.units, most: line.units } : NONE;
}

const plus = (a: ConversionSpan, b: ConversionSpan): ConversionSpan => ({
  least: a.least + b.least,
  most: a.most + b.most,
});
const sumOf = (lines: readonly PayoutRow[]): bigint =>
  lines.reduce((sum, { units }) => sum + units, 0n);
