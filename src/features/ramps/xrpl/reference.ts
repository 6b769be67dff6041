import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const XRPL_WORDS: FeatureWords = {
  tags: {
    xrpl: {
      group: 'Ramps',
      title: 'XRPL',
      text: 'USDC on the XRP Ledger for money of a wallet, and back.',
    },
  },
  values: {
    chain_id: { xrpl: 'The XRP Ledger' },
    status: { tesSUCCESS: 'The XRP Ledger has validated the transaction' },
  },
  titles: {
    'xrpl.buy': 'Buy USDC on the XRP Ledger',
    'xrpl.sell': 'Sell or send USDC on the XRP Ledger',
    'xrpl.getPurchase': 'Get a purchase of USDC',
    'xrpl.getSale': 'Get a sale of USDC',
    'xrpl.listHistory': 'List operations on the XRP Ledger',
  },
  descriptions: {
    'xrpl.buy':
      'A user calls it. `fiat_amount` comes out of the caller’s wallet of that currency; an `amount` of USDC out of the USD wallet at the rate of the moment. The platform holds the USDC for the user, who can sell or send them. The ledger decides within seconds; `xrpl_transaction.succeeded` follows, or `xrpl_transaction.failed`, and then the wallet has its money back. After a 503 `GET /xrpl/onramp/status/{txid}` shows the end.',
    'xrpl.sell':
      'A user calls it; the user’s USDC pay. They go to `destination_address`, or are sold for `target_fiat` into a wallet or a bank account. An address of many people needs its `destination_tag`. An address without a trust line for USDC is 400; in mock mode such an address, also one that does not exist, is opened on the sandbox’s ledger and gets its trust line, so that everything can be tried. `xrpl_transaction.succeeded` follows, or `xrpl_transaction.failed`, and then the user has the USDC back.',
    'xrpl.listHistory': 'A user sees the own operations.',
  },
  places: {
    'XrplTransaction.status': 'tesSUCCESS',
    'xrpl.getPurchase.status': 'validated',
    'xrpl.getSale.status': 'validated',
    'XrplRate.source': 'coinbase',
    'XrplRate.result': '50.000000',
    'XrplTransaction.tx_type': 'ONRAMP',
  },
  origins: [
    [/^xrpl\.getPurchase\.txid$/, 'xrpl.buy'],
    [/^xrpl\.getSale\.txid$/, 'xrpl.sell'],
  ],
  answers: [
    [/^payout_type$/, 'BANK'],
    [/^raw_response$/, '{"engine_result":"tesSUCCESS"}'],
  ],
  meanings: {
    account_number: 'At that bank',
    destination_address: 'Who gets the USDC, on the XRP Ledger; instead of `target_fiat`',
    txid: 'Of the transaction on the XRP Ledger, or the number of the order',
    transfer_fee: 'What is taken off for the bank transfer, null where none is made',
    receiver_currency: 'In which the receiver gets it, ISO 4217',
    target_fiat: 'In which it is paid out, ISO 4217',
    payout_type: 'Where the money goes: into a wallet here, or to a bank account',
    destination_bank: 'The bank account that it goes to',
  },
};
