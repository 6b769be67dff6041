import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const FEE_SETTINGS_WORDS: FeatureWords = {
  tags: {
    feeSettings: { group: 'Crypto', text: 'What the platform takes of transfers, by client.' },
  },
  titles: {
    'feeSettings.get': 'Get platform fees',
    'feeSettings.set': 'Set platform fees',
  },
  descriptions: {
    'feeSettings.get': 'An admin reads the settings of the own client.',
    'feeSettings.set':
      'An admin sets them for the own client; they hold for sends that begin afterwards. A fee below the operator’s is 400 `FEE_BELOW_FLOOR`. `fee_settings.updated` follows.',
  },
  meanings: {
    minimum_platform_fee_usd: 'What the platform takes at the least, in USD',
    platform_fee_percentage: 'What it takes of an amount, in per cent',
    gas_price_multiplier: 'By how much more than the chain’s price of gas is counted',
  },
};
