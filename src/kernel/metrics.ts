import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createRequestTimes } from './request-times.ts';

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
  const requests = createRequestTimes(
    'archipay_request_seconds',
    'Time to answer, by route and status',
  );
  registry.registerMetric(requests.metric);
  return {
    registry,
    observe: requests.observe,
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
