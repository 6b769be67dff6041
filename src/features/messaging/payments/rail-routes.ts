import { Type } from 'typebox';
import type { Clock } from '#kernel/clock.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  Nullable,
  oneOfWords,
  stamped,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import {
  doubtsByRail,
  type RailDoubt,
  readSpeeds,
} from '#kernel/payment-list/payment-watch-store.ts';

const endpoint = endpoints(codedEnvelope);

const Seconds = Nullable(Type.Number());
const RailStatus = named('RailStatus', {
  rail: Type.String(),
  status: explained(
    oneOfWords(['UP', 'DEGRADED', 'DOWN']),
    '`DEGRADED`: a call is in doubt for longer than usual; `DOWN`: several are, and no payment has succeeded since',
  ),
  usual_seconds: explained(
    Type.Object({ p50: Seconds, p95: Seconds }),
    'From the request to the money’s arrival, of the latest payments; null before the first one',
  ),
  in_doubt: explained(Type.Integer(), 'Payments with a call whose outcome is unknown'),
  oldest_in_doubt_since: Nullable(Timestamp),
});

/** A rail that answers nothing has several payments in doubt. */
const DOWN_FROM = 3;
/** A call in doubt is nothing unusual before. */
const DOUBT_FLOOR_MS = 60_000;

export const railRoutes = (deps: {
  readonly clock: Clock;
  rails(): readonly string[];
}): Route[] => [
  endpoint('GET /status/rails', {
    name: 'payments.rails',
    auth: 'key',
    summary: 'Shows of each rail how long payments usually take, and what is in doubt now',
    reply: { 200: stamped({ data: Type.Object({ items: Type.Array(RailStatus) }) }) },
    fault: 'Failed to read the status of the rails',
    async handler({ db }) {
      const speeds = new Map((await readSpeeds(db)).map((speed) => [speed.rail, speed]));
      const doubts = new Map((await doubtsByRail(db)).map((doubt) => [doubt.rail, doubt]));
      const now = deps.clock.now();
      const items = deps.rails().map((rail) => {
        const speed = speeds.get(rail);
        const doubt = doubts.get(rail);
        return {
          rail,
          status: statusOf(now, doubt, speed),
          usual_seconds: { p50: rounded(speed?.p50_s), p95: rounded(speed?.p95_s) },
          in_doubt: doubt?.in_doubt ?? 0,
          oldest_in_doubt_since: doubt?.oldest_since ?? null,
        };
      });
      return { data: { items } };
    },
  }),
];

const rounded = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.round(seconds * 1000) / 1000;

function statusOf(
  now: Date,
  doubt: RailDoubt | undefined,
  speed: { readonly p99_s: number; readonly last_succeeded_at: string } | undefined,
): 'UP' | 'DEGRADED' | 'DOWN' {
  if (doubt === undefined) return 'UP';
  const since = Date.parse(doubt.oldest_since);
  const usualMs = Math.max(DOUBT_FLOOR_MS, (speed?.p99_s ?? 0) * 1000);
  if (now.getTime() - since < usualMs) return 'UP';
  const hasSucceeded = speed !== undefined && Date.parse(speed.last_succeeded_at) > since;
  return doubt.in_doubt >= DOWN_FROM && !hasSucceeded ? 'DOWN' : 'DEGRADED';
}
