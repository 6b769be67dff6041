import type { Histogram } from 'prom-client';

/** How long something took, counted: a histogram of the library's finds its labels anew with every number. */
export interface Times {
  observe(seconds: number): void;
  /** As Prometheus has them: each bucket with all that are below it. */
  values(name: string, labels: Readonly<Record<string, string>>): readonly Value[];
}
interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** `bounds`: the upper ones, in seconds. */
export function createTimes(bounds: readonly number[]): Times {
  /** How many in each bucket alone; one more is for what took longer than any. */
  const counts = Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  return {
    observe(seconds) {
      let bucket = 0;
      while (seconds > (bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      sum += seconds;
    },
    values(name, labels) {
      let count = 0;
      const buckets = counts.map((more, n) => {
        count += more;
        const le = bounds[n] ?? '+Inf';
        return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    },
  };
}

/** For the registry, which only asks it for its name and numbers. */
export const histogramOf = (
  { name, help }: { readonly name: string; readonly help: string },
  read: () => readonly Value[],
): Histogram =>
  ({
    name,
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: read() }),
  }) as unknown as Histogram;
