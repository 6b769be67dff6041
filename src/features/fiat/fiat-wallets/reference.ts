import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const FIAT_WALLETS_WORDS: FeatureWords = {
  tags: {
    fiatWallets: {
      group: 'Fiat',
      text: 'Wallets in currencies, one of each for a user, and their statements.',
    },
  },
  titles: {
    'fiatWallets.listTransactions': 'Get a statement',
  },
  descriptions: {
    'fiatWallets.open':
      'Users open wallets for themselves; an admin may do it for a person of the own client. There is one wallet for each currency, so a repetition answers the same wallet. `wallet.created` follows.',
    'fiatWallets.list':
      'Users see their own wallets; an admin sees those of the people of the own client. `balance` includes what is set aside for payments that have begun.',
    'fiatWallets.listTransactions':
      'The owner reads it, and an admin of the owner’s client. Each line has the balance after it, so the lines add up to the balance of the wallet.',
    'fiatWallets.getBalance':
      'The owner reads it, and an admin of the owner’s client. The answer for a moment is the same whenever it is asked for.',
    'fiatWallets.explain':
      'The owner reads it, and an admin of the owner’s client. The answer for a moment is the same whenever it is asked for: a posting that had begun before is waited for, and `digest` covers all but `next_attempt_at`. `checks` has rules by which the answer was verified; one that is not `ok` is a fault of the platform, and `ledger:verify` finds it as well.',
  },
  places: {
    'StatementLine.type': 'card-top-up',
    'FiatWalletBalance.posted': '120.50',
    'BalanceExplanation.posted': '120.50',
    'BalanceExplanation.opening': '100.00',
    'BalanceKind.kind': 'card-top-up',
    'BalanceHold.kind': 'card-hold',
    'BalanceHold.freed_by': 'The card network takes the payment or refuses it',
    'BalanceCheck.rule': 'held is the sum of all holds',
    'BalanceExplanation.digest': '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  meanings: {
    balance_after: 'Of the wallet, once this has been booked',
  },
};
