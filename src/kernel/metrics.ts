import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { timeWaits } from './db/pool-waits.ts';
import { createDurationCounts, createRequestHistogram, histogramOf } from './histogram.ts';
import { lazy } from './lazy.ts';
import { OUTSIDE_METRICS } from './outside-metrics.ts';

export interface Metrics {
  readonly registry: Registry;
  /** One answered request: its declared route, status and seconds. */
  observe(route: string, status: number, seconds: number): void;
  /** One that was answered with an error, by its code. */
  failed(route: string, code: string): void;
  /** One that was answered with what an earlier one was. */
  replayed(route: string): void;
  /** Counts something that happens here; every label has few values. */
  counter(name: string, help: string, labels: readonly string[]): KernelCount;
  /** A number that is read when the metrics are. */
  gauge(name: string, help: string, labels: readonly string[], read: GaugeReader): void;
}
export type KernelCount = (labels: Record<string, string>, by?: number) => void;
export type GaugeReader = () => Promise<
  readonly { labels: Record<string, string>; value: number }[]
>;

/** So many figures are asked for at once: a look at them must not take all connections. */
const ASKED_AT_ONCE = 3;

/** `pool`: whose connections are counted. */
export function createMetrics(pool?: Pool): Metrics {
  const registry = new Registry();
  for (const metric of processMetrics()) registry.registerMetric(metric);
  const requests = createRequestHistogram(
    'archipay_request_seconds',
    'Time to answer, by route and status',
  );
  registry.registerMetric(requests.metric);
  for (const metric of OUTSIDE_METRICS) registry.registerMetric(metric as never);
  const counter: Metrics['counter'] = (name, help, labels) => {
    const made = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
    return (at, by = 1) => made.inc(at, by);
  };
  const errors = counter('archipay_errors_total', 'Errors answered, by route and code', [
    'route',
    'code',
  ]);
  const replays = counter('archipay_replays_total', 'Answers sent again for a known key', [
    'route',
  ]);
  const inTurn = createTurns(ASKED_AT_ONCE);
  const gauge: Metrics['gauge'] = (name, help, labels, read) => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const found = await inTurn(read);
        made.reset();
        // One without labels would be 0 where nothing is known.
        if (found.length === 0 && labels.length === 0) made.remove();
        for (const { labels: at, value } of found) made.set(at, value);
      },
    });
  };
  if (pool) measurePool(registry, gauge, pool);
  return {
    registry,
    observe: requests.observe,
    failed: (route, code) => errors({ route, code }),
    replayed: (route) => replays({ route }),
    counter,
    gauge,
  };
}

/**
 * What a process measures of itself, once however many services run in it: its timer and its observers go on
 * for ever, and would keep each service that has ended.
 */
const processMetrics = lazy(() => {
  const registry = new Registry();
  // Its own default looks at the event loop a hundred times a second, which costs a process at rest the most.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  return registry.getMetricsAsArray() as unknown as Metric[];
});

type Pool = Pick<pg.Pool, 'idleCount' | 'totalCount' | 'waitingCount' | 'connect'>;

/** Before all others: what they ask the database must not count as waiting for it. */
function measurePool(registry: Registry, gauge: Metrics['gauge'], pool: Pool): void {
  const waits = createDurationCounts([0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]);
  const name = 'archipay_database_wait_seconds';
  const help = 'Time until a request for a connection was served, also by a new one, or refused';
  registry.registerMetric(histogramOf({ name, help }, () => waits.values(name, {})));
  timeWaits(pool, waits.observe);
  gauge('archipay_database_connections', 'Pool connections', ['state'], async () => [
    { labels: { state: 'idle' }, value: pool.idleCount },
    { labels: { state: 'used' }, value: pool.totalCount - pool.idleCount },
    { labels: { state: 'waited for' }, value: pool.waitingCount },
  ]);
}

/** Does no more than that many things at a time, in the order in which they come. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
