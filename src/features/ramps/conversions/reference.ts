import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const CONVERSIONS_WORDS: FeatureWords = {
  tags: {
    conversions: { group: 'Ramps', text: 'Rupiah to USDC at an exchange, job by job.' },
  },
  titles: {
    'conversions.runDaily': 'Run the daily conversion',
    'conversions.listPending': 'List pending conversions',
    'conversions.pollBalance': 'Look for arrived disbursements',
    'conversions.runTrades': 'Run due trades',
    'conversions.start': 'Start a conversion',
    'conversions.execute': 'Send the rupiah of a conversion',
    'conversions.pollJob': 'Look for one disbursement',
    'conversions.executeTrade': 'Execute one trade',
    'conversions.getStatus': 'Get a conversion',
  },
  descriptions: {
    'conversions.start':
      'The owner of the IDR wallet calls it, with 200,000 IDR or more. The rupiah are set aside and paid to the exchange’s account; then they are traded for USDC, which goes to the primary address of `POST /exchange/crypto-wallet/save`. `GET /exchange/conversion/status/{job_id}` shows how far it is; `conversion.completed` or `conversion.failed` follows. A mismatch of the books before the payment is 403 `RECONCILIATION_FAILED` and moves nothing.',
    'conversions.runDaily':
      'An admin calls it for the people of the own client, the operator for everybody. It sets aside the rupiah of each user who has 200,000 IDR or more and a primary address, and has them paid to the exchange. A second run on the same day is 409. `conversion.started` follows for each.',
    'conversions.listPending':
      'An admin sees the people of the own client, the operator everybody.',
    'conversions.pollBalance':
      'An admin calls it; it looks at all jobs that wait. Confirmed ones become `TRADING` (`conversion.confirmed`). To an admin of a client `exchange_balance` shows the share of that client’s jobs, all of which is held for them. To the operator `available` is what no conversion has a claim to; while an order is open no USDC are.',
    'conversions.runTrades':
      'An admin calls it. USDC that were bought go to the primary address of each user. An order or withdrawal that the exchange refuses is tried again later. `conversion.traded` and `conversion.completed` follow.',
  },
  places: {
    'ConversionJob.status': 'COMPLETED',
    'ConversionReconciliation.status': 'MATCHED',
    'conversions.execute.status': 'WAITING_EXCHANGE',
  },
  origins: [
    [
      /^conversions\.start$/,
      'Rupiah in the wallet, and an address: `POST /exchange/crypto-wallet/save`',
    ],
    [/^conversions\.\w+\.job_id$/, 'conversions.start'],
  ],
  answers: [[/^wallet_network$/, 'polygon']],
};
