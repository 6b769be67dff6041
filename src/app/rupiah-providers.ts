import type { Gateway } from '#providers/gateway/port.ts';
import { xendit } from '#providers/gateway/xendit.ts';
import { idrx } from '#providers/idrx/adapter.ts';
import type { TokenVendor } from '#providers/idrx/port.ts';
import type { Wiring } from './provider-wiring.ts';

/** Those who take payments and make pay-outs in rupiah. */
export interface RupiahProviders {
  readonly gateway: Gateway;
  /** Sells and redeems the rupiah token in the platform's place, where the settings choose one. */
  readonly tokenVendor: TokenVendor | undefined;
}

const LOCAL = ['isGenuine', 'readPaymentNotification', 'readPayoutNotification'] as const;

/** Mock mode calls none: a payment or pay-out is settled with the request for it. */
export function rupiahProviders(wiring: Wiring): RupiahProviders {
  const { kernel, door, sandboxUrl } = wiring;
  const { config } = kernel;
  if (config.MOCK_MODE && door)
    return { gateway: door.offlineGateway({ kernel, sandboxUrl }), tokenVendor: undefined };
  return config.IDR_GATEWAY === 'idrx' ? idrxProviders(wiring) : xenditProvider(wiring);
}

function xenditProvider({ kernel: { config, clock }, at, gated }: Wiring): RupiahProviders {
  const gateway = xendit({
    url: at(config.GATEWAY_URL, '/gateway'),
    key: config.GATEWAY_KEY,
    callbackToken: config.GATEWAY_CALLBACK_TOKEN,
    clock,
  });
  // A pay-out stays open: the gateway may have taken it before the setting was lost.
  const kinds = { acts: ['createPayment'], local: LOCAL } as const;
  return { gateway: gated('gateway', gateway, kinds), tokenVendor: undefined };
}

function idrxProviders({ kernel, at, gated }: Wiring): RupiahProviders {
  const { config, clock } = kernel;
  const { gateway, vendor } = idrx({
    url: at(config.IDRX_URL, '/idrx'),
    apiKey: config.IDRX_API_KEY,
    secret: config.IDRX_SECRET,
    form: config.IDRX_SIGNATURE,
    returnUrl: () => kernel.publicUrl(),
    clock,
  });
  return {
    gateway: gated('idrx', gateway, { acts: ['createPayment'], local: LOCAL }),
    tokenVendor: gated('idrx', vendor, { acts: ['sell'] }),
  };
}
