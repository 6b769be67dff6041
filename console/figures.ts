import type { FigureDay, PaymentFigures } from './money-shapes.ts';

/** A day of one currency: its amounts as they are written, and as heights of a picture. */
interface Day {
  readonly day: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly amounts: { readonly in: string; readonly out: string };
  /** Heights only: what is shown as a number is the text beside it. */
  readonly arrived: { readonly in: number; readonly out: number };
}

export interface CurrencyFigures {
  readonly currency: string;
  readonly days: readonly Day[];
  /** Of all directions, those that arrived and those that failed. */
  readonly count: number;
  readonly failed: number;
  /** What was received. */
  readonly received: { readonly count: number; readonly sum: string };
}

const DAY_MS = 24 * 3600_000;

/** Of each currency every day of the span, also those without a payment; the busiest currency first. */
export function figuresOf({ from, to, days }: PaymentFigures): CurrencyFigures[] {
  const span: string[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS)
    span.push(new Date(time).toISOString().slice(0, 10));
  const all = [...Map.groupBy(days, ({ currency }) => currency)].map(([currency, its]) => ({
    currency,
    days: span.map((day) =>
      dayOf(
        day,
        its.filter((one) => one.day === day),
      ),
    ),
    count: total(its, 'succeeded'),
    failed: total(its, 'failed'),
    received: receivedOf(its.filter(({ direction }) => direction === 'in')),
  }));
  return all.sort((a, b) => b.count - a.count);
}

const receivedOf = (its: readonly FigureDay[]) => ({
  count: total(its, 'succeeded'),
  sum: sumOf(its.map(({ amount }) => amount)),
});

const total = (of: readonly FigureDay[], name: 'succeeded' | 'failed'): number =>
  of.reduce((sum, one) => sum + one[name], 0);

function dayOf(day: string, of: readonly FigureDay[]): Day {
  const way = (direction: string) => of.find((one) => one.direction === direction)?.amount ?? '0';
  const amounts = { in: way('in'), out: way('out') };
  return {
    day,
    succeeded: total(of, 'succeeded'),
    failed: total(of, 'failed'),
    amounts,
    arrived: { in: Number(amounts.in), out: Number(amounts.out) },
  };
}

/** The sum of decimals, by their digits: money is never a float. */
function sumOf(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((one) => one.split('.')[1]?.length ?? 0));
  const units = amounts.reduce((sum, one) => {
    const [whole = '0', digits = ''] = one.split('.');
    return sum + BigInt(whole + digits.padEnd(scale, '0'));
  }, 0n);
  const digits = String(units).padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The day on which most arrived. */
export const bestDay = (days: readonly Day[]): string =>
  days.reduce((best, one) => (one.arrived.in > best.arrived.in ? one : best)).day;
