import type { Feature } from '#kernel/feature.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { fxRoutes } from './routes.ts';

export {
  CONVERTIBLE,
  type Conversion,
  type Convertible,
  convertVia,
  costOf,
  readMarket,
  readPolicyMarket,
  readRates,
} from './convert.ts';

import { FX_WORDS } from './reference.ts';

export { exchangeLegs } from './legs.ts';
export { type PackedConversion, packConversion, unpackConversion } from './pack.ts';
export { recordConversion } from './store.ts';

/** Conversions between currencies: one rule for all of them, and quotes. */
export const createFx = (deps: { readonly fx: ExchangeRates }): Feature => ({
  name: 'fx',
  reference: FX_WORDS,
  routes: fxRoutes(deps),
});
