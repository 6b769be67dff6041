import type { Provider } from '../provider.ts';
import { exchangeAdapter } from './adapter.ts';
import type { ExchangePort } from './port.ts';

export const exchangeProvider: Provider<'exchange', ExchangePort> = {
  needs: { exchange: ['EXCHANGE_URL', 'EXCHANGE_KEY', 'EXCHANGE_SECRET', 'EXCHANGE_BANK'] },
  open: ({ kernel: { config, clock }, at }) =>
    exchangeAdapter({
      id: config.EXCHANGE_ID,
      url: at(config.EXCHANGE_URL, '/exchange'),
      key: config.EXCHANGE_KEY,
      secret: config.EXCHANGE_SECRET,
      clock,
      isLimited: config.EXCHANGE_URL !== undefined,
    }),
};
