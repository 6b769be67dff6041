import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const WALLET_PROOFS_WORDS: FeatureWords = {
  tags: {
    walletProofs: { group: 'Crypto', text: 'Wallets of a user’s own, proven by a signature.' },
  },
  titles: {
    'walletProofs.challenge': 'Create a challenge to sign',
    'walletProofs.prove': 'Prove a wallet',
    'walletProofs.list': 'List proven wallets',
    'walletProofs.remove': 'Remove a proven wallet',
  },
  descriptions: {
    'walletProofs.list':
      'Users see their own. A proven wallet counts as the user’s where burns and payments are looked at.',
    'walletProofs.remove':
      'Users remove their own. What the wallet has proven before stays as it is.',
  },
  places: {
    'walletProofs.prove.signature': `0x${'5a'.repeat(65)}`,
  },
  origins: [
    [/^walletProofs\.challenge\.wallet_address$/, 'a wallet whose key you keep'],
    [/^walletProofs\.prove\.challenge_id$/, 'walletProofs.challenge'],
    [/^walletProofs\.remove\.proof_id$/, 'walletProofs.list'],
  ],
  answers: [[/^reach$/, 'EVM']],
  meanings: {
    challenge_id: 'Of the challenge, as its making has answered it',
  },
};
