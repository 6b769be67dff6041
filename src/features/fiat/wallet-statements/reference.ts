import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const WALLET_STATEMENTS_WORDS: FeatureWords = {
  descriptions: {
    'fiatWallets.getStatement':
      'The owner reads it, and an admin of the owner’s client. The opening balance and all entries sum to the closing balance, and all formats have the same numbers and the same `x-statement-digest`. `csv` (`text/csv`) has the balances in its first and last row, `pdf` (`application/pdf`) is for people and printers, `camt.053` (`application/xml`) is camt.053.001.08 of ISO 20022. A statement of days that are over has the same numbers whenever it is asked for, and names no moment of its making: `timestamp` is the end of what it covers. At most 100,000 entries.',
  },
  values: {
    'fiatWallets.getStatement.format': {
      json: 'The answer that is shown here',
      csv: 'A table',
      pdf: 'For people and printers',
      'camt.053': 'For accounting systems: camt.053.001.08',
    },
  },
  places: {
    'WalletStatementEntry.caller_reference': 'order-7',
    'fiatWallets.getStatement.from': '2026-11-01',
    'fiatWallets.getStatement.to': '2026-11-30',
    'WalletStatement.holder': 'Dewi Lestari',
    'WalletStatement.issuer': 'Nusa Retail',
    'WalletStatement.from': '2026-11-01',
    'WalletStatement.to': '2026-11-30',
    'WalletStatement.time_zone': 'Asia/Jakarta',
    'WalletStatement.opening_balance': '100.00',
    'WalletStatement.closing_balance': '197.00',
    'WalletStatement.digest': '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'StatementSum.count': 1,
    'StatementSum.amount': '97.00',
    'WalletStatementEntry.type': 'card-top-up',
    'WalletStatementEntry.amount': '97.00',
    'StatementCounterparty.name': 'Grace Hopper',
    'StatementCounterparty.detail': '**** 4242',
  },
};
