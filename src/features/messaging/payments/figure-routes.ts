import { Type } from 'typebox';
import { clientScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Clock } from '#kernel/clock.ts';
import { wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, IdInput, oneOfWords, stamped } from '#kernel/http/declare/schema.ts';
import { type PaymentDay, readPaymentDays } from '#kernel/payment-list/payment-days-store.ts';
import { decimalOf, PAYMENT_DIRECTIONS } from './presenters.ts';

const endpoint = endpoints(codedEnvelope);

const DAY_MS = 24 * 3600_000;
const USUAL_DAYS = 30;
const MOST_DAYS = 92;
const MOST_CODES = 5;

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-01'] });
const Count = Type.Integer();

const FigureDay = named('PaymentFigures', {
  day: explained(Day, 'A day in UTC, on which these payments began'),
  currency: Type.String(),
  direction: oneOfWords(PAYMENT_DIRECTIONS),
  succeeded: explained(Count, 'Payments that arrived, also those that came back later'),
  failed: Count,
  cancelled: Count,
  pending: Count,
  amount: explained(Type.String(), 'Of those that arrived'),
});

/** Sums by day, kept with each payment: no request counts one. */
export const figuresRoute = ({ clock }: { readonly clock: Clock }): Route =>
  endpoint('GET /payment-figures', {
    name: 'payments.figures',
    auth: 'admin',
    team: 'payments:read',
    history: true,
    summary: 'Shows what payments came to by day, currency and direction',
    query: Type.Object({
      from: Type.Optional(explained(Day, 'The first day, in UTC; 29 days before the last one')),
      to: Type.Optional(
        explained(Day, `The last day, in UTC; today. At most ${MOST_DAYS} days with the first`),
      ),
      client_id: Type.Optional(explained(IdInput, 'For the operator: of that client alone')),
    }),
    reply: {
      200: stamped({
        data: Type.Object({
          from: Day,
          to: Day,
          days: explained(
            Type.Array(FigureDay),
            'Oldest first; a day without payments is left out',
          ),
          failures: explained(
            Type.Array(named('PaymentFailures', { code: Type.String(), count: Count })),
            'The commonest codes of failures in these days',
          ),
        }),
      }),
    },
    fault: 'Failed to read the figures of payments',
    async handler({ caller, query, db }) {
      const own = clientScopeOf(caller);
      const span = spanOf(query, clock.now());
      const rows = await readPaymentDays(db, { ...span, client_id: own ?? query.client_id });
      return { data: { ...span, days: daysOf(rows), failures: failuresOf(rows) } };
    },
  });

function spanOf({ from, to }: { from?: string; to?: string }, now: Date) {
  const last = to ?? dayOf(now.getTime());
  const first = from ?? dayOf(timeOf('to', last) - (USUAL_DAYS - 1) * DAY_MS);
  const days = (timeOf('to', last) - timeOf('from', first)) / DAY_MS + 1;
  if (days < 1) throw wrongField('from', 'is after `to`');
  if (days > MOST_DAYS) throw wrongField('from', `is more than ${MOST_DAYS} days before \`to\``);
  return { from: first, to: last };
}

function timeOf(name: string, day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time) || dayOf(time) !== day) throw wrongField(name, 'is no day');
  return time;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

function daysOf(rows: readonly PaymentDay[]) {
  const groups = Map.groupBy(rows, ({ day, currency, direction }) =>
    [day, currency, direction].join(' '),
  );
  return [...groups.values()].flatMap((of) => {
    const [first] = of;
    if (!first) return [];
    const having = (outcome: string) => of.filter((row) => row.outcome === outcome);
    const count = (outcome: string) => having(outcome).reduce((sum, { n }) => sum + Number(n), 0);
    const units = having('SUCCEEDED').reduce((sum, row) => sum + row.units, 0n);
    return {
      day: String(first.day),
      currency: first.currency,
      direction: first.direction as (typeof PAYMENT_DIRECTIONS)[number],
      succeeded: count('SUCCEEDED'),
      failed: count('FAILED'),
      cancelled: count('CANCELLED'),
      pending: count('PENDING'),
      amount: decimalOf(units, first.scale),
    };
  });
}

function failuresOf(rows: readonly PaymentDay[]) {
  const counts = new Map<string, number>();
  for (const { failure_code: code, n } of rows)
    if (code !== '') counts.set(code, (counts.get(code) ?? 0) + Number(n));
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code))
    .slice(0, MOST_CODES);
}
