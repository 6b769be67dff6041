/** A limited resource of a process that a few callers could exhaust. */
export interface CeilingRule {
  /** For refusals: `No more than 20 event streams at once`. */
  readonly what: string;
  /** How many there are at a time in one process. */
  readonly most: number;
  /** The part of the files that the process may have open, where each takes one; the total is then no more than that. */
  readonly ofFiles?: number;
  /** How many one log-in, key or endpoint may hold. */
  readonly one: number;
}

/**
 * Every ceiling of a process that several tenants reach. A caller takes a place only through its share (`createCeiling`),
 * so that each entry here has a share for each client and network, and one for all strangers.
 */
export const CEILINGS = {
  streams: { what: 'event streams', most: 1000, ofFiles: 1 / 8, one: 20 },
  tables: { what: 'tables', most: 20, one: 2 },
  deliveries: { what: 'webhook deliveries', most: 8192, ofFiles: 1 / 8, one: 32 },
  pages: { what: 'shop pages', most: 200, ofFiles: 1 / 16, one: 10 },
  decisions: { what: 'questions about cards', most: 2048, ofFiles: 1 / 8, one: 512 },
  models: { what: 'questions to the language model', most: 200, ofFiles: 1 / 16, one: 5 },
} as const satisfies Readonly<Record<string, CeilingRule>>;

export type CeilingName = keyof typeof CEILINGS;

/** Parts of a ceiling, of which each has a place at least. Strangers are all but approved clients (decision 36). */
export const SHARES = {
  client: { approved: 1 / 4, stranger: 1 / 20 },
  network: { approved: 1 / 2, stranger: 1 / 10 },
  strangers: 1 / 2,
} as const;

export const totalOf = ({ most, ofFiles }: CeilingRule, files: number): number =>
  ofFiles === undefined ? most : Math.max(1, Math.min(most, Math.floor(files * ofFiles)));
