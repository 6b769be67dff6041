import { paymentGateway } from '#providers/gateway/adapter.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import type { Wiring } from './provider-wiring.ts';

/** In mock mode none is called: payments and pay-outs are settled as they are asked for. */
export function gatewayProvider({ kernel, at, gated, door, sandboxUrl }: Wiring): Gateway {
  const { config, clock } = kernel;
  if (config.MOCK_MODE && door) return door.offlineGateway({ kernel, sandboxUrl });
  return gated(
    config.IDR_GATEWAY === 'idrx' ? 'idrx' : 'gateway',
    paymentGateway(config, {
      xendit: at(config.GATEWAY_URL, '/gateway'),
      idrx: at(config.IDRX_URL, '/idrx'),
      returnUrl: () => kernel.publicUrl(),
      clock,
    }),
    {
      // A pay-out stays open: it may be one that was asked for before the setting was lost.
      acts: ['createPayment'],
      local: ['issuesToken', 'isGenuine', 'readPaymentNews', 'readPayoutNews'],
    },
  );
}
