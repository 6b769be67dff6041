import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const TRANSFERS_WORDS: FeatureWords = {
  tags: {
    walletTransfers: {
      group: 'Fiat',
      text: 'Money between the wallets of the people of one client, and to people without an account, who claim it.',
    },
  },
  descriptions: {
    'walletTransfers.send':
      'It arrives at once where the receiver is known: their wallet in that currency is opened where there is none, and a frozen one receives. Money to a number, or to an address that no person of the client has confirmed, is held and mailed with a link by which its owner claims it. A policy may make it wait for an approval or a time. `wallet_transfer.completed` or `wallet_transfer.pending` follows.',
    'walletTransfers.list': 'Receivers see what has arrived, and of a split their own part.',
    'walletTransfers.cancel':
      'Only its sender does so, while it waits. The money is free again, and the fee is not charged.',
    'walletTransfers.claim':
      'By the person whose confirmed address or number it was sent to, once. The link in the message has the token.',
  },
  values: {
    side: { sent: 'The reader has paid it', received: 'The reader has got it' },
    'WalletTransfer.status': {
      PENDING_APPROVAL: 'It waits for an approval; its money is held',
    },
    'walletTransfers.list.status': {
      PENDING_APPROVAL: 'It waits for an approval; its money is held',
    },
  },
  places: {
    'WalletTransfer.substatus': 'waiting_for_person',
    'TransferTo.email': 'grace@example.com',
    'WalletTransfer.amount': '12.50',
  },
  meanings: {},
  origins: [
    [/^walletTransfers\.send\.from_wallet_id$/, 'fiatWallets.open'],
    [/^walletTransfers\.send$/, 'cards.topUp'],
    [/^walletTransfers\.claim\.claim_token$/, 'the link in the message to that address'],
    [/^walletTransfers\.\w+\.transfer_id$/, 'walletTransfers.send'],
  ],
};
