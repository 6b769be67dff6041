/** Where the program can be killed; the proxy knows further ones. */
export const PLACES = [
  'recover',
  'stale',
  'resolved',
  'recovered',
  'put',
  'half-put',
  'kept',
  'send',
  'sent',
  'head',
  'close',
  'half-close',
  'closed',
  'returned',
  'failed',
  'repeat',
] as const;
export type Place = (typeof PLACES)[number];

export interface CallerOrders {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly token: string;
  /** The file of its store. */
  readonly file: string;
  readonly isPlain: boolean;
  readonly steps: readonly CallerStep[];
  /** The end comes where that place is passed for that time. */
  readonly end?: readonly [place: string, nth: number];
}

/** An order of the program's own, whose key is its own reference. */
export interface CallerStep {
  readonly key: string;
  readonly operation: readonly [resource: string, method: string, path: string];
  readonly params: Readonly<Record<string, unknown>>;
}
