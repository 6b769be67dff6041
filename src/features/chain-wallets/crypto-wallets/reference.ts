import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const CRYPTO_WALLETS_WORDS: FeatureWords = {
  tags: {
    cryptoWallets: {
      group: 'Crypto',
      text: 'Wallets that the platform keeps for a user, with addresses on each chain.',
    },
  },
  titles: {
    'cryptoWallets.addAddress': 'Add an address to a crypto wallet',
    'cryptoWallets.getBalance': 'Get balances of a crypto wallet',
    'cryptoWallets.listAddresses': 'List addresses of a crypto wallet',
  },
  descriptions: {
    'cryptoWallets.create':
      'Users create wallets for themselves. The platform keeps the keys; `POST /manual/wallets/crypto/{bw_id}/address` makes the address. `crypto_wallet.created` follows.',
    'cryptoWallets.list':
      'Users see their own wallets; an admin sees those of the people of the own client. Values are in USD at the rate of now.',
    'cryptoWallets.listAddresses': 'The owner reads it, and an admin of the owner’s client.',
    'cryptoWallets.getBalance':
      'Users read their own wallets; an admin those of the people of the own client. `held` is what payments under way will take, gas included; `available` is what can be spent. The gas of a send comes out of the coin, and the platform’s fee out of the asset that is sent. Null where the chain, or the token, does not answer.',
  },
  origins: [
    [/^cryptoWallets\.((addAddress|delete)\.bw_id|getBalance\.wallet_id)$/, 'cryptoWallets.create'],
  ],
  answers: [
    [/^security_note$/, 'These words are shown this once and never again.'],
    [/^mnemonic$/, 'twelve words that open the wallet, shown this once'],
  ],
};
