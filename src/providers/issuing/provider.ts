import type { Config } from '#kernel/config/config.ts';
import type { Provider } from '../provider.ts';
import { cardIssuing } from './adapter.ts';
import { type CardIssuing, ISSUING_CURRENCIES, type IssuingCurrency } from './port.ts';

export const issuingProvider: Provider<'issuing', CardIssuing> = {
  needs: {
    issuing: [
      ...(['ISSUING_URL', 'ISSUING_APP_TOKEN', 'ISSUING_ADMIN_TOKEN'] as const),
      ...(['ISSUING_CARD_PRODUCTS', 'ISSUING_PAGES_URL', 'ISSUING_CALLBACK_PASSWORD'] as const),
    ],
  },
  checkSettings: cardProductsOf,
  open: ({ kernel: { config, clock }, at }) =>
    cardIssuing({
      url: at(config.ISSUING_URL, '/issuing'),
      pagesUrl: at(config.ISSUING_PAGES_URL, '/issuing/pages'),
      appToken: config.ISSUING_APP_TOKEN,
      adminToken: config.ISSUING_ADMIN_TOKEN,
      clock,
      calls: {
        user: config.ISSUING_CALLBACK_USER,
        password: config.ISSUING_CALLBACK_PASSWORD,
        secret: config.ISSUING_CALLBACK_SECRET,
      },
      products: cardProductsOf(config),
    }),
  calls: {
    local: [
      ...(['issuingCurrencies', 'isGenuine', 'readFunding', 'answerFunding'] as const),
      ...(['refuseFunding', 'readNotification', 'readDisputeNews'] as const),
    ],
    acts: ['createCard', 'openDispute', 'sendDocument'],
  },
};

/** Our card product for each currency, by the settings. Throws where a currency is none of wallets, or is named twice. */
function cardProductsOf({
  ISSUING_CARD_PRODUCTS: setting,
}: Pick<Config, 'ISSUING_CARD_PRODUCTS'>): ReadonlyMap<IssuingCurrency, string> {
  const products = new Map<IssuingCurrency, string>();
  for (const place of setting.split(',').filter(Boolean)) {
    const [word = '', token = ''] = place.split(':');
    const currency = ISSUING_CURRENCIES.find((one) => one === word);
    if (currency === undefined || products.has(currency))
      throw new Error(
        `Bad configuration: ISSUING_CARD_PRODUCTS has ${word} once at most, of ${ISSUING_CURRENCIES.join(', ')}`,
      );
    products.set(currency, token);
  }
  return products;
}
