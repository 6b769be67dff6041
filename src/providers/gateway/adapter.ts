import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config/config.ts';
import { idrx } from '../idrx/adapter.ts';
import type { Gateway } from './port.ts';
import { xendit } from './xendit.ts';

export interface GatewayPlaces {
  xendit(): string;
  idrx(): string;
  /** Where a payer is sent after paying. */
  returnUrl(): string;
  readonly clock: Clock;
}

/** The one that the settings choose. */
export function paymentGateway(config: Config, places: GatewayPlaces): Gateway {
  const { clock, returnUrl } = places;
  if (config.IDR_GATEWAY === 'idrx')
    return idrx({
      url: places.idrx,
      apiKey: config.IDRX_API_KEY,
      secret: config.IDRX_SECRET,
      form: config.IDRX_SIGNATURE,
      returnUrl,
      clock,
    });
  return xendit({
    url: places.xendit,
    key: config.GATEWAY_KEY,
    callbackToken: config.GATEWAY_CALLBACK_TOKEN,
    clock,
  });
}
