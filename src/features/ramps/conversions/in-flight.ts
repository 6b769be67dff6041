import { openPayouts, type PayoutRow, payoutTotals } from '#features/fiat/payouts/payouts.ts';
import type { BookLine } from '#kernel/reconciliation/rail.ts';
import type { ConversionDeps } from './deps.ts';
import { requireProviderAnswer } from './require-outcome.ts';

/** Bounds in units of IDR: `least` is certain, and `most` possible. */
export interface ConversionSpan {
  readonly least: bigint;
  readonly most: bigint;
}
export const NONE: ConversionSpan = { least: 0n, most: 0n };

/** Unbooked movements at the gateway, line by line. */
export interface OpenLines {
  /** Requested without an answer, and deducted there. */
  readonly goingOut: ConversionSpan;
  /** Paid there, and not booked here at that time. */
  readonly paid: readonly BookLine[];
  /** Some of them pay no purchase. */
  readonly hasMisfits: boolean;
  readonly readAt: Date;
}

/** So many pay-outs are polled one by one; those beyond may be deducted or not. */
const LINES_MAX = 200;
const AT_ONCE = 10;
/** Pages of the gateway's statement. */
const PAGES_MAX = 200;
const HOUR_MS = 3_600_000;
/** No payment is open for longer. */
const DAY_MS = 25 * HOUR_MS;
/** The gateway's clock may be so much apart. */
const SKEW_MS = 5000;
/** A request for a pay-out has arrived by then. */
const CALL_MS = 60_000;

interface Need {
  /** The gateway has more than the books, so that there may be unbooked payments. */
  readonly isMore: boolean;
  /** The latest hour mostly suffices; an unreported payment may be a day old. */
  readonly isFirst: boolean;
}

/** Polls each open line. An ended one is booked, and needs no explanation any longer. */
export async function inspectOpenLines(deps: ConversionDeps, need: Need): Promise<OpenLines> {
  const readAt = deps.clock.now();
  const goingOut = await pollPayouts(deps, need);
  if (!need.isMore) return { goingOut, paid: [], hasMisfits: false, readAt };
  const from = new Date(readAt.getTime() - (need.isFirst ? HOUR_MS : DAY_MS));
  const lines = await paymentsSince(deps, from);
  const unbooked = await deps.payments.unbooked(lines);
  const paid = lines.filter(({ line }) => unbooked.has(line));
  await deps.payments.followUp(paid.map(({ reference }) => reference));
  const hasMisfits = [...unbooked.values()].includes(false);
  return { goingOut, paid, hasMisfits, readAt };
}

/** Payments after the statement was read, which the balance may include. */
export async function paidLately(
  deps: ConversionDeps,
  { paid, readAt }: OpenLines,
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
    const { lines, next } = requireProviderAnswer(
      'The gateway',
      await gateway.statement(window, after),
    );
    all.push(...lines.filter(({ kind }) => kind === 'payment'));
    if (next === undefined) break;
    after = next;
  }
  return all;
}

async function pollPayouts(deps: ConversionDeps, { isMore }: Need): Promise<ConversionSpan> {
  const at = deps.clock.now();
  const lines = await openPayouts(deps.db, LINES_MAX);
  const { asked } = await payoutTotals(deps.db);
  const beyond = asked - sumOf(lines.filter(isAsked));
  // A sent one was deducted for certain; it explains a surplus where it has failed since.
  const some = isMore ? lines : lines.filter(isAsked);
  let span: ConversionSpan = { least: 0n, most: beyond > 0n ? beyond : 0n };
  for (let from = 0; from < some.length; from += AT_ONCE) {
    const looked = some.slice(from, from + AT_ONCE).map((line) => pollOpenPayout(deps, at, line));
    for (const one of await Promise.all(looked)) span = plus(span, one);
  }
  return span;
}

const isAsked = ({ state }: PayoutRow): boolean => state === 'ASKED';

async function pollOpenPayout(
  { payouts }: ConversionDeps,
  at: Date,
  line: PayoutRow,
): Promise<ConversionSpan> {
  const found = await payouts.poll(line.reference);
  if (!isAsked(line)) return NONE;
  const may = { least: 0n, most: line.units };
  if (found.kind !== 'done' || at.getTime() - Date.parse(line.asked_at) < CALL_MS) return may;
  const isTaken = found.value !== undefined && found.value.status !== 'FAILED';
  return isTaken ? { least: line.units, most: line.units } : NONE;
}

const plus = (a: ConversionSpan, b: ConversionSpan): ConversionSpan => ({
  least: a.least + b.least,
  most: a.most + b.most,
});
const sumOf = (lines: readonly PayoutRow[]): bigint =>
  lines.reduce((sum, { units }) => sum + units, 0n);
