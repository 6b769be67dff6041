import type { Clock } from '#kernel/clock.ts';
import { type Ccxt, loadCcxt } from './ccxt.ts';
import type { ExchangeNetwork } from './port.ts';

export interface ExchangeSettings {
  /** ccxt's name of the exchange. */
  readonly id: ExchangeId;
  /** `https://www.tokocrypto.com`. */
  url(): string;
  readonly key: string;
  readonly secret: string;
  readonly clock: Clock;
  /** Whether it limits the rate of calls. */
  readonly isLimited: boolean;
  readonly timeoutMs?: number;
}

export interface Dialect {
  /** The setting of its API's address. */
  urls(url: string): object;
  /** Its names of the networks. */
  readonly networks: Readonly<Record<ExchangeNetwork, string>>;
  /** Its name for our reference of a withdrawal. */
  readonly reference: string;
  /** The pause between two calls, by its own limits. */
  readonly pauseMs: number;
}

export type ExchangeId = 'tokocrypto';

/**
 * The tested exchanges: they sell USDC for rupiah, and find orders and withdrawals by a reference of ours
 * (decisions: 0041).
 */
export const EXCHANGES: Readonly<Record<ExchangeId, Dialect>> = {
  tokocrypto: {
    urls: (url) => ({ api: { rest: { public: url, private: url, binance: url } } }),
    networks: { ERC20: 'ETH', TRC20: 'TRX', BEP20: 'BSC', POLYGON: 'MATIC', SOLANA: 'SOL' },
    reference: 'clientId',
    pauseMs: 60,
  },
};

export const SYMBOL = 'USDC/IDR';
/** The longest requested list. */
export const LISTED_MAX = 1000;
/** The longest look-back: 90 days. */
const WINDOW_MS = 7_776_000_000;
const TIMEOUT_MS = 10_000;
/** Its clock may be behind ours. */
const SKEW_MS = 60_000;

/** A page of deposits or withdrawals, from then on. */
export const pageFrom = (startTime: number) => ({
  startTime,
  endTime: startTime + WINDOW_MS,
  limit: LISTED_MAX,
});

export const sinceMs = (moment: Date): number => moment.getTime() - SKEW_MS;

export type Client = () => Promise<Ccxt>;

/** Loaded at the first call, and again after a failure. */
export function createExchangeClient(settings: ExchangeSettings): Client {
  const { id, url, key, secret, clock, isLimited, timeoutMs = TIMEOUT_MS } = settings;
  const { urls, pauseMs } = EXCHANGES[id];
  let loading: Promise<Ccxt> | undefined;
  return () => {
    loading ??= loadCcxt(id, {
      apiKey: key,
      secret,
      urls: urls(url()),
      timeout: timeoutMs,
      enableRateLimit: isLimited,
      rateLimit: pauseMs,
      milliseconds: () => clock.now().getTime(),
    }).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
