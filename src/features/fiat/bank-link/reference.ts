import { UUID } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';
import { DEMO_PUBLIC_TOKEN } from '#providers/plaid/demo-token.ts';

/** What the reference says of this feature beside its declarations. */
export const BANK_LINK_WORDS: FeatureWords = {
  tags: {
    bankLink: {
      group: 'Fiat',
      text: 'Bank accounts that people link, and top-ups drawn from them.',
    },
  },
  titles: {
    'callbacks.receiveBank': 'Webhook of the bank link provider',
    'bankLink.createToken': 'Create a link token',
    'bankLink.exchangeToken': 'Announce a public token',
    'bankLink.linkAccount': 'Link a bank account',
    'bankLink.check': 'Check a bank link',
    'bankLink.unlink': 'Unlink a bank account',
    'bankLink.listAccounts': 'List bank accounts',
    'bankLink.removeItem': 'End a bank log-in',
    'bankLink.topUp': 'Top up from a bank account',
    'bankLink.getTopUp': 'Get a bank top-up',
    'bankLink.advanceTransfer': 'Advance a sandbox transfer',
    'bankLink.completePayment': 'Complete a sandbox payment',
  },
  descriptions: {
    'bankLink.createToken':
      'The owner of the wallet calls it and hands the token to the bank link’s flow in the app or page. The flow answers a public token, which `POST /banklink/item/public-token/exchange` takes.',
    'bankLink.exchangeToken':
      'It is an intermediate step of the contract: it records nothing and asks the provider nothing. `POST /banklink/item/public-token/exchange` makes the connection.',
    'bankLink.linkAccount':
      'The owner of the wallet calls it once the person has finished the bank’s flow. A wallet with a connection answers `ALREADY_CONNECTED`. `bank_connection.linked` follows; then `POST /banklink/topup` can take money from the account.',
    'bankLink.unlink':
      'The owner of the wallet calls it. A wallet without a connection is answered 200 as well. Transfers that have begun are finished. `bank_connection.unlinked` follows.',
    'bankLink.topUp':
      'The owner of the wallet calls it. The bank account pays: the money is taken by a direct debit, and the bank can return it later. The wallet has it once the debit has settled (in mock mode at once), and `wallet.credited` follows. A returned debit is taken back from the wallet, and what the wallet no longer has is owed.',
    'bankLink.getTopUp':
      'The owner of the wallet reads it. A debit that the bank returns later becomes `RETURNED`.',
  },
  places: {
    'LinkedAccount.type': 'depository',
    'bankLink.removeItem.access_token': `access-sandbox-${UUID}`,
    'bankLink.advanceTransfer.transfer_id': UUID,
    'bankLink.getTopUp.transaction_id': UUID,
    'bankLink.completePayment.payment_id': `payment-id-sandbox-${UUID}`,
  },
  origins: [
    [/^bankLink\.\w+\.access_token$/, 'bankLink.linkAccount'],
    [/^bankLink\.(check|topUp|getAccessToken)\.wallet_id$/, 'bankLink.linkAccount'],
    [/^bankLink\.listAccounts$/, 'bankLink.linkAccount'],
    [/^bankLink\.\w+\.(transfer_id|payment_id)$/, 'bankLink.topUp'],
    [/^bankLink\.getTopUp\.transaction_id$/, 'bankLink.topUp'],
  ],
  answers: [
    [/^subtype$/, 'checking'],
    [/^mask$/, '0000'],
    [/^access_token$/, `access-sandbox-${UUID}`],
    [/^link_token$/, `link-sandbox-${UUID}`],
    [/^transfer_id$/, UUID],
    [/^(account_id|item_id)$/, 'hsvbaEdkCDfpLiOpbH4TUETf3L2byX3wN5TRm'],
  ],
  meanings: {
    public_token: 'What the bank’s link flow has handed to your page',
    access_token: 'Opens the linked bank account; keep it secret',
    transfer_id: 'Of the bank’s transfer',
  },
  bodies: ({ wallet_id }) => ({
    'bankLink.exchangeToken': { public_token: DEMO_PUBLIC_TOKEN },
    'bankLink.linkAccount': { public_token: DEMO_PUBLIC_TOKEN, wallet_id },
  }),
};
