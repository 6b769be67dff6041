import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** One answered request: its declared route, status and seconds. */
  observe(route: string, status: number, seconds: number): void;
  /** A number that is read when the metrics are. */
  gauge(name: string, help: string, labels: readonly string[], read: GaugeReader): void;
}
export type GaugeReader = () => Promise<
  readonly { labels: Record<string, string>; value: number }[]
>;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'archipay_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const observed = new Map<string, ReturnType<typeof requests.labels>[]>();
  return {
    registry,
    observe(route, status, seconds) {
      // Finding the labels again costs more than counting; there are as many as routes and statuses.
      const known = observed.get(route) ?? [];
      if (known.length === 0) observed.set(route, known);
      known[status] ??= requests.labels(route, String(status));
      known[status].observe(seconds);
    },
    gauge(name, help, labels, read) {
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        async collect() {
          this.reset();
          for (const { labels: at, value } of await read()) this.set(at, value);
        },
      });
    },
  };
}
