import type { Asset } from '#kernel/money/money.ts';
import type { Outcome } from '#providers/provider.ts';

/** What one unit of an asset is worth in another, as the market says. */
export interface MarketRate {
  /** Decimal text for `convert`. */
  readonly rate: string;
  readonly source: string;
  /** When it was read, ISO 8601. */
  readonly at: string;
}

export interface ExchangeRates {
  /**
   * Of every asset that has a market; test coins count as the real ones, and IDRT as IDR. `refused`
   * with NO_RATE for the others, `unknown` when there is no rate that is recent enough.
   */
  rate(from: Asset, to: Asset): Promise<Outcome<MarketRate>>;
}
