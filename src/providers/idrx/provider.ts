import type { Config } from '#kernel/config/config.ts';
import type { Gateway } from '../gateway/port.ts';
import { GATEWAY_CALLS, type MockGateway } from '../gateway/provider.ts';
import type { Provider, ProviderWiring } from '../provider.ts';
import { idrx } from './adapter.ts';
import type { TokenVendor } from './port.ts';

const SETUP = {
  needs: { idrx: ['IDRX_URL', 'IDRX_API_KEY', 'IDRX_SECRET'] },
  isUsed: ({ IDR_GATEWAY }: Config) => IDR_GATEWAY === 'idrx',
} as const;

const adapter = ({ kernel: { config, clock, publicUrl }, at }: ProviderWiring) =>
  idrx({
    url: at(config.IDRX_URL, '/idrx'),
    apiKey: config.IDRX_API_KEY,
    secret: config.IDRX_SECRET,
    form: config.IDRX_SIGNATURE,
    returnUrl: () => publicUrl(),
    clock,
  });

export const idrxGateway: Provider<'idrx', Gateway, MockGateway | undefined> = {
  ...SETUP,
  open: (wiring) => adapter(wiring).gateway,
  offline: ({ mockMode }) => mockMode?.gateway,
  calls: GATEWAY_CALLS,
};

/** Sells and redeems the rupiah token in the platform's place. */
export const idrxVendor: Provider<'idrx', TokenVendor> = {
  ...SETUP,
  open: (wiring) => adapter(wiring).vendor,
  calls: { acts: ['sell'] },
};
