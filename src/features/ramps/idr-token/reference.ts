import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const IDR_TOKEN_WORDS: FeatureWords = {
  tags: {
    idrTokens: {
      group: 'Ramps',
      title: 'IDR tokens',
      text: 'Rupiah tokens: bought and redeemed for rupiah at a bank.',
    },
  },
  values: {
    rail: { idr_token: 'Rupiah tokens' },
    source: {
      GATEWAY: 'The gateway has sent the money back',
      ELSEWHERE: 'The money went back by another way',
    },
    status: { TAKING_BACK: 'The tokens are being taken back' },
    transactionType: { MINT: 'A purchase of tokens', REDEEM: 'A redemption of tokens' },
  },
  titles: {
    'idrTokens.buy': 'Buy rupiah tokens',
    'idrTokens.getPurchase': 'Get a purchase of tokens',
    'idrTokens.redeem': 'Redeem rupiah tokens',
    'idrTokens.getRedemption': 'Get a redemption of tokens',
    'idrTokens.addBank': 'Add a bank account',
    'idrTokens.listBanks': 'List bank accounts',
    'idrTokens.removeBank': 'Remove a bank account',
    'idrTokens.listMints': 'List purchases of tokens',
    'idrTokens.listRedemptions': 'List redemptions of tokens',
    'idrTokens.refund': 'Refund a token transaction',
    'idrTokens.listMethods': 'List payment methods',
    'idrTokens.getFees': 'Get fees of tokens',
    'idrTokens.listPayments': 'List unmatched payments',
    'idrTokens.assignPayment': 'Assign an unmatched payment',
    'idrTokens.refundPayment': 'Refund an unmatched payment',
    'idrTokens.markPaymentRefunded': 'Mark an unmatched payment refunded',
    'callbacks.receivePayment': 'Webhook of the gateway: payments',
    'callbacks.receiveTransfer': 'Webhook of the gateway: transfers',
  },
  descriptions: {
    'idrTokens.buy':
      'A user calls it. The answer has `paymentUrl`, where the buyer pays `totalAmount` (the amount and the fee of the method) by QRIS, virtual account or e-wallet until `expiresAt`, 24 hours later. Then the tokens are minted to `walletAddress`: within seconds as a rule, within 24 hours at the most. `idr_mint.minted` and `idr_mint.completed` follow; a purchase without a payment in time becomes `CANCELLED`.',
    'idrTokens.redeem':
      'A user burns the tokens on chain first and names the transaction here. The chain has to show the burn of this token, wallet and amount, and a burn pays out once. The bank account gets the amount less 5,000 IDR (35,000 IDR above 250,000,000, and then in office hours only), within 24 hours. `payout.succeeded` follows.',
    'idrTokens.refund':
      'An admin calls it for the people of the own client, once for each transaction. The user’s IDR wallet gets the amount less the fee of `GET /idrtoken/fees`; minted tokens are burnt first.',
    'idrTokens.addBank':
      'A user registers an own account: `accountName` has to be the user’s registered name. Redemptions and payouts in rupiah go to it. `bank_account.added` follows.',
    'idrTokens.listBanks': 'A user sees the own accounts; removed ones are not listed.',
    'idrTokens.listMints':
      'A user sees the own purchases. `status` takes the words PENDING, PAID, MINTED, SUCCESS and FAILED, and CANCELLED for purchases without a payment within 24 hours: these are not among the FAILED ones.',
    'idrTokens.listRedemptions':
      'A user sees the own redemptions. `status` takes the words PENDING, PROCESSING, COMPLETED and FAILED.',
    'idrTokens.listMethods':
      'Any logged-in user may call it. A fee is in rupiah, or a percentage where `fee_type` says so.',
    'idrTokens.getFees':
      'Any logged-in user may call it. The fee of EWALLET is a percentage of the amount, all others are in rupiah. The block for bridges says that there is none.',
    'idrTokens.listPayments':
      'Only an admin of the operator may call it. Each row is settled by one of its neighbours: assign, refund or mark-refunded.',
    'idrTokens.assignPayment':
      'Only an admin of the operator may call it. The purchase is minted as if its buyer had paid it.',
    'idrTokens.refundPayment':
      'Only an admin of the operator may call it. The buyer’s IDR wallet has the money at once.',
    'idrTokens.markPaymentRefunded':
      'Only an admin of the operator may call it, for example after a transfer by hand. It moves nothing to the payer.',
    'callbacks.receivePayment':
      'The gateway calls it. In mock mode its word counts; out of it the platform looks the payment up at the gateway, whatever the call says.',
    'callbacks.receiveTransfer':
      'The gateway calls it. In mock mode its word counts; out of it the platform looks the transfer up at the gateway, whatever the call says.',
  },
  places: {
    'BankAccount.status': 'ACTIVE',
    'ListedBankAccount.status': 'ACTIVE',
    'IdrTokenMint.status': 'SUCCESS',
    'IdrTokenRedemption.status': 'COMPLETED',
    'idrTokens.buy.status': 'PENDING',
    'idrTokens.getPurchase.status': 'SUCCESS',
    'idrTokens.getRedemption.status': 'COMPLETED',
    'idrTokens.redeem.status': 'PENDING',
    'idrTokens.listMethods.method': 'QRIS',
    'idrTokens.getFees.method': 'QRIS',
    'idrTokens.getFees.operation': 'MINT',
  },
  origins: [
    [/^idrTokens\.redeem\.burnTxHash$/, 'a burn of rupiah tokens, sent from one’s own wallet'],
    [/^idrTokens\.\w+\.(bank_id|bankId)$/, 'idrTokens.addBank'],
    [/^idrTokens\.getPurchase\.reference_id$/, 'idrTokens.buy'],
    [/^idrTokens\.getRedemption\.reference_id$/, 'idrTokens.redeem'],
    [/^idrTokens\.\w+\.payment_id$/, 'idrTokens.listPayments'],
    [/^idrTokens\.refund\.transactionId$/, 'idrTokens.listMints'],
  ],
  answers: [
    [/^(paymentNote|payment_note)$/, 'LATE'],
    [/^gateway_payment_id$/, 'inv-7a1d4b9e'],
    [/^(paymentMethod|payment_method)$/, 'QRIS'],
    [/^(bankTransferStatus|bank_transfer_status)$/, 'COMPLETED'],
    [/^refundTransactionId$/, 'REFUND-1795419346238-6'],
    [/^formula$/, 'amount − 5000'],
    [/^(maxProcessingTime|processingTime)$/, '24 hours'],
    [/^autoCancel$/, '24 hours'],
    [/^range$/, 'up to 250000000'],
  ],
  meanings: {
    page: 'From 1',
    accountName: 'Whose account it is',
    bankName: 'What the bank is called',
    isPrimary: 'Whether money goes there unless something else is said',
    paymentMethod: 'How the rupiah are paid: by QRIS, to a virtual account or from an e-wallet',
    transactionType: 'What is given back: a purchase (`MINT`) or a redemption (`REDEEM`)',
    amount_idr: 'In rupiah',
    walletAddress: 'On the chain of the rupiah tokens',
    burnTxHash: 'Of the transaction that has burnt the tokens',
  },
};
