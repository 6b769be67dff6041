import type { Provider } from '../provider.ts';
import { exchangeRates } from './adapter.ts';
import type { ExchangeRates } from './port.ts';

export const fxProvider: Provider<'fx', ExchangeRates> = {
  needs: { fx: ['FX_URL'] },
  open: ({ kernel: { config, clock }, at }) =>
    exchangeRates({
      url: at(config.FX_URL, '/fx'),
      key: config.FX_KEY,
      maxAgeMs: config.FX_MAX_AGE * 1000,
      clock,
    }),
};
