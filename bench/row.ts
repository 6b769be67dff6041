/** One line of the results: a bar of docs/design and its measurement. */
export interface BenchRow {
  readonly bar: string;
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  /** Absent if a number is only reported. */
  readonly limit?: string;
  readonly holds: boolean;
  readonly note?: string;
}

interface Measured {
  readonly bar: string;
  readonly what: string;
  readonly measured: number;
  readonly unit?: string;
  readonly limit: number;
  readonly note?: string;
}

/** A missing measurement, NaN, does not hold. */
export const atLeast = ({ limit, ...row }: Measured): BenchRow => ({
  ...row,
  unit: row.unit ?? 'times',
  limit: `>= ${limit}`,
  holds: row.measured >= limit,
});

export const atMost = ({ limit, ...row }: Measured): BenchRow => ({
  ...row,
  unit: row.unit ?? 'times',
  limit: `<= ${limit}`,
  holds: row.measured <= limit,
});

/** A number without a bar. */
export const reported = (row: Omit<Measured, 'limit'> & { readonly unit: string }): BenchRow => ({
  ...row,
  holds: true,
});
