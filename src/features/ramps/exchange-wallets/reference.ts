import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const EXCHANGE_WALLETS_WORDS: FeatureWords = {
  tags: {
    exchangeWallets: { group: 'Ramps', text: 'Where the USDC goes that rupiah are converted to.' },
  },
  titles: {
    'exchangeWallets.save': 'Save a withdrawal wallet',
    'exchangeWallets.delete': 'Delete a withdrawal wallet',
    'exchangeWallets.list': 'List withdrawal wallets',
    'exchangeWallets.getPrimary': 'Get the primary withdrawal wallet',
    'exchangeWallets.listNetworks': 'List withdrawal networks',
  },
  descriptions: {
    'exchangeWallets.save':
      'A user registers an own address; there is one for each network, and a second one replaces the first. Conversions pay out to the primary one. `exchange_wallet.created` or `exchange_wallet.updated` follows.',
    'exchangeWallets.list': 'A user sees the own addresses.',
    'exchangeWallets.listNetworks': 'Any logged-in user may call it.',
  },
  places: {
    'ExchangeWallet.status': 'ACTIVE',
    'SavedExchangeWallet.action': 'created',
  },
  origins: [
    [/^exchangeWallets\.delete\.bw_id$/, 'exchangeWallets.save'],
    [/^exchangeWallets\.getPrimary$/, 'An address: `POST /exchange/crypto-wallet/save`'],
  ],
  answers: [[/^exchange_code$/, 'erc20']],
  meanings: {
    network: 'By which the exchange sends, in its word',
    set_as_primary: 'Whether the exchange pays out there from now on',
  },
};
