import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#src/config.ts';
import type { Gateway } from './port.ts';
import { xendit } from './xendit.ts';

export interface GatewayPlaces {
  /** Where the Xendit-shaped one is. */
  xendit(): string;
  readonly clock: Clock;
}

/** The gateway of the settings. */
export const paymentGateway = (config: Config, places: GatewayPlaces): Gateway =>
  xendit({
    url: places.xendit,
    key: config.GATEWAY_KEY,
    callbackToken: config.GATEWAY_CALLBACK_TOKEN,
    clock: places.clock,
  });
