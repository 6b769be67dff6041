import type { Asset } from '#kernel/money/money.ts';
import type { Outcome } from '#kernel/provider-call.ts';

/** What one unit of an asset is worth in another, as the market says. */
export interface MarketRate {
  /** Decimal text for `convert`. */
  readonly rate: string;
  readonly source: string;
  /** When it was read, ISO 8601. */
  readonly at: string;
}

/** Rates that were read together, so that what is computed with several of them fits. */
export interface RateReading {
  /** Decimal text for `convert`; nothing where there is no market. */
  rateOf(from: Asset, to: Asset): string | undefined;
  readonly source: string;
  /** When they were read, ISO 8601. */
  readonly at: string;
  /** Until when they count, ISO 8601. */
  readonly usable_until: string;
}

export interface ExchangeRates {
  /**
   * Of every asset that has a market; test coins count as the real ones, and IDRT as IDR. `refused`
   * with NO_RATE for the others, `unknown` when there is no rate that is recent enough.
   */
  rate(from: Asset, to: Asset): Promise<Outcome<MarketRate>>;
  /** All of them; `unknown` when there are none that are recent enough. */
  read(): Promise<Outcome<RateReading>>;
}
