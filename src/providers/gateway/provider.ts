import type { Provider } from '../provider.ts';
import type { Gateway } from './port.ts';
import { xendit } from './xendit.ts';

/** The gateway of mock mode, which settles a payment or pay-out with the request for it. */
export interface MockGateway {
  readonly gateway: Gateway;
}

/** What both gateways answer by themselves. */
const LOCAL = ['isGenuine', 'readPaymentNotification', 'readPayoutNotification'] as const;
/** A pay-out stays open: the gateway may have taken it before the setting was lost. */
export const GATEWAY_CALLS = { acts: ['createPayment'], local: LOCAL } as const;

export const xenditProvider: Provider<'gateway', Gateway, MockGateway | undefined> = {
  needs: { gateway: ['GATEWAY_URL', 'GATEWAY_KEY', 'GATEWAY_CALLBACK_TOKEN'] },
  isUsed: ({ IDR_GATEWAY }) => IDR_GATEWAY === 'xendit',
  open: ({ kernel: { config, clock }, at }) =>
    xendit({
      url: at(config.GATEWAY_URL, '/gateway'),
      key: config.GATEWAY_KEY,
      callbackToken: config.GATEWAY_CALLBACK_TOKEN,
      clock,
    }),
  offline: ({ mockMode }) => mockMode?.gateway,
  calls: GATEWAY_CALLS,
};
