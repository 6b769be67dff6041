import type { Histogram } from 'prom-client';

/** Upper bounds in seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Times {
  readonly labels: { readonly route: string; readonly status: string };
  /** How many in each bucket alone; one more is for what took longer than any. */
  readonly counts: number[];
  sum: number;
}

export interface RequestTimes {
  observe(route: string, status: number, seconds: number): void;
  /** For the registry, which only asks it for its name and numbers. */
  readonly metric: Histogram;
}

/**
 * A histogram by route and status. Every request is counted here: the library's own finds its labels
 * anew each time, which costs a request as much as half its authentication.
 */
export function createRequestTimes(name: string, help: string): RequestTimes {
  const byRoute = new Map<string, Times[]>();
  const timesOf = (route: string, status: number): Times => {
    const known = byRoute.get(route) ?? [];
    if (known.length === 0) byRoute.set(route, known);
    known[status] ??= {
      labels: { route, status: String(status) },
      counts: Array<number>(BUCKETS.length + 1).fill(0),
      sum: 0,
    };
    return known[status];
  };
  const get = async () => ({
    ...{ name, help, type: 'histogram', aggregator: 'sum' },
    values: [...byRoute.values()].flat().flatMap((times) => valuesOf(name, times)),
  });
  return {
    observe(route, status, seconds) {
      const times = timesOf(route, status);
      let bucket = 0;
      while (seconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
      times.counts[bucket] = (times.counts[bucket] ?? 0) + 1;
      times.sum += seconds;
    },
    metric: { name, get } as unknown as Histogram,
  };
}

/** As Prometheus has them: each bucket with all that are below it. */
function valuesOf(name: string, { labels, counts, sum }: Times) {
  let count = 0;
  const buckets = counts.map((more, n) => {
    count += more;
    const le = BUCKETS[n] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
