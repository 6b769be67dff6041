/** What this folder needs of a logger; pino's fits. */
export interface ChainLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface SenderSettings {
  /** Transactions of one chain on their way at once. Nodes choke on thousands (measured). */
  readonly inFlight: number;
  /** The longest pause between two questions for a receipt; the first ones follow quickly. */
  readonly pollMs: number;
  /** How long a caller waits for a receipt before the answer is `pending`. */
  readonly waitMs: number;
  /** How long after sending the monitor takes up a transaction without a receipt. */
  readonly stuckAfterMs: number;
  /** Blocks on top of a transaction after which its receipt is final. */
  readonly finalDepth: number;
  /** Basis points of the node's gas price that we offer, unless a request says otherwise. */
  readonly gasPricePoints: bigint;
  /**
   * Wei per gas on top of the base fee, instead of the node's advice. A node that sees only our own
   * transactions advises what we paid, and with a multiplier that grows for ever (measured).
   */
  readonly tip?: bigint | undefined;
  /** Wei per gas above which neither an offer nor a replacement goes. */
  readonly gasPriceCeiling: bigint;
}

/** Fit for the public test networks. */
export const SENDER_DEFAULTS: SenderSettings = {
  inFlight: 50,
  pollMs: 1_000,
  waitMs: 90_000,
  stuckAfterMs: 60_000,
  finalDepth: 12,
  gasPricePoints: 12_000n,
  gasPriceCeiling: 500_000_000_000n,
};

/** A node of our own never takes a block back, and has hardly any user but us. */
export const EMBEDDED_DEFAULTS: SenderSettings = {
  ...SENDER_DEFAULTS,
  pollMs: 50,
  waitMs: 30_000,
  // It puts each transaction into a block at once: one without a receipt did not arrive.
  stuckAfterMs: 5_000,
  finalDepth: 0,
  tip: 1_000_000_000n,
};
