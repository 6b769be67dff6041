import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import {
  CURRENCY_CONVERSION_EVENTS,
  CURRENCY_CONVERSION_PAYMENTS,
} from './currency-conversion-events.ts';
import { currencyConversionRoutes } from './currency-conversion-routes.ts';
import { FX_PERSON_DATA } from './person-data.ts';
import { positionRoutes } from './position-routes.ts';
import { quoteRoutes } from './quote-routes.ts';
import { createQuoteSigner } from './quote-signature.ts';
import { expireQuotes } from './quote-store.ts';
import { FX_WORDS } from './reference.ts';
import { reversalRoute } from './reversal-routes.ts';
import { fxRoutes } from './routes.ts';
import { spreadRoutes } from './spread-routes.ts';

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
export { exchangeLegs } from './legs.ts';
export { type PackedConversion, packConversion, unpackConversion } from './pack.ts';
export { makeBridgeQuote } from './quote-make.ts';
export type { Quotable } from './quote-price.ts';
export { ShownQuote, shownQuote } from './quote-shape.ts';
export { createQuoteSigner, type QuoteSigner } from './quote-signature.ts';
export { endPromise, findQuote, type Quote, type QuotedBridge } from './quote-store.ts';
export {
  QUOTE_ERRORS,
  type QuotedTrade,
  type QuoteUse,
  quotedFee,
  quotedFiat,
  quotedLegs,
  quotedTrade,
  usedQuote,
  useQuote,
} from './quote-use.ts';
export { recordConversion } from './store.ts';

const EXPIRED_AT_ONCE = 500;

interface FxDeps extends Pick<Kernel, 'clock' | 'db' | 'policies' | 'vault'> {
  readonly fx: ExchangeRates;
}

/** Conversions between currencies: one rule for all of them, and quotes. */
export function createFx(deps: FxDeps): Feature {
  const { db, vault } = deps;
  const signer = createQuoteSigner(vault);
  return {
    name: 'fx',
    personData: FX_PERSON_DATA,
    reference: FX_WORDS,
    routes: [
      ...fxRoutes(deps),
      ...quoteRoutes({ ...deps, signer }),
      ...currencyConversionRoutes(deps),
      reversalRoute({ ...deps, signer }),
      ...spreadRoutes(),
      ...positionRoutes(deps),
    ],
    events: CURRENCY_CONVERSION_EVENTS,
    payments: [{ object: 'payment', rail: 'fx', source: CURRENCY_CONVERSION_PAYMENTS }],
    schedules: [
      defineSchedule({
        name: 'fx.expire-quotes',
        cron: '* * * * *',
        async run({ signal }) {
          for (let ended = EXPIRED_AT_ONCE; ended === EXPIRED_AT_ONCE && !signal.aborted; )
            ended = await expireQuotes(db, EXPIRED_AT_ONCE);
        },
      }),
    ],
  };
}
