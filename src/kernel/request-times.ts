import type { Histogram } from 'prom-client';
import { createTimes, histogramOf, type Times } from './times.ts';

/** Upper bounds in seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Labelled {
  readonly labels: { readonly route: string; readonly status: string };
  readonly times: Times;
}

export interface RequestTimes {
  observe(route: string, status: number, seconds: number): void;
  readonly metric: Histogram;
}

/** A histogram by route and status. Every request is counted here. */
export function createRequestTimes(name: string, help: string): RequestTimes {
  const byRoute = new Map<string, Labelled[]>();
  const timesOf = (route: string, status: number): Times => {
    const known = byRoute.get(route) ?? [];
    if (known.length === 0) byRoute.set(route, known);
    known[status] ??= { labels: { route, status: String(status) }, times: createTimes(BUCKETS) };
    return known[status].times;
  };
  return {
    observe: (route, status, seconds) => timesOf(route, status).observe(seconds),
    metric: histogramOf({ name, help }, () =>
      [...byRoute.values()].flat().flatMap(({ times, labels }) => times.values(name, labels)),
    ),
  };
}
