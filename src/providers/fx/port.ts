import type { Asset } from '#kernel/money/money.ts';
import type { Outcome } from '#kernel/provider-call.ts';

/** The market price of one unit of an asset in another. */
export interface MarketRate {
  /** Decimal text for `convert`. */
  readonly rate: string;
  readonly source: string;
  /** When it was read, ISO 8601. */
  readonly at: string;
}

/** Rates of one reading, so that computations with several of them are consistent. */
export interface RateReading {
  /** Decimal text for `convert`; undefined without a market. */
  rateOf(from: Asset, to: Asset): string | undefined;
  readonly source: string;
  /** When they were read, ISO 8601. */
  readonly at: string;
  /** The end of their validity, ISO 8601. */
  readonly usable_until: string;
}

export interface ExchangeRates {
  /**
   * Of every asset that has a market; test coins count as the real ones, and IDRT as IDR. `refused`
   * with NO_RATE for the others, `unknown` without a recent enough rate.
   */
  rate(from: Asset, to: Asset): Promise<Outcome<MarketRate>>;
  /** The last reading where it is recent enough, without a call. */
  known?(): RateReading | undefined;
  /** All of them; `unknown` without recent enough ones. */
  read(): Promise<Outcome<RateReading>>;
}
