import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const FIAT_WALLETS_WORDS: FeatureWords = {
  tags: {
    fiatWallets: {
      group: 'Fiat',
      text: 'Wallets in currencies, one of each for a user, and their statements.',
    },
  },
  descriptions: {
    'fiatWallets.open':
      'Users open wallets for themselves; an admin may do it for a person of the own client. There is one wallet for each currency, so a repetition answers the same wallet. `wallet.created` follows.',
    'fiatWallets.list':
      'Users see their own wallets; an admin sees those of the people of the own client. `balance` includes what is set aside for payments that have begun.',
    'fiatWallets.listTransactions':
      'The owner reads it, and an admin of the owner’s client. Each line has the balance after it, so the lines add up to the balance of the wallet.',
  },
  places: {
    'StatementLine.type': 'card-top-up',
  },
  meanings: {
    balance_after: 'Of the wallet, once this has been booked',
  },
};
