import { CHAINS, isChainKey } from '#chains/evm/port.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const ONCHAIN_WORDS: FeatureWords = {
  tags: {
    onchain: { group: 'Crypto', text: 'What leaves a wallet on one chain, and what has left it.' },
  },
  titles: {
    'onchain.send': 'Send on chain',
    'onchain.record': 'Record a transaction made elsewhere',
    'onchain.listEverything': 'List all outgoing transfers',
    'onchain.listHistory': 'List transactions on chain',
    'onchain.get': 'Get a transaction on chain',
  },
  descriptions: {
    'onchain.listEverything':
      'Users read their own history; an admin reads that of the people of the own client.',
    'onchain.listHistory':
      'Users read their own history; an admin reads that of the people of the own client.',
  },
  places: {
    'OnchainTransaction.status': 'CONFIRMED',
    'WalletMovement.status': 'CONFIRMED',
    'onchain.record.status': 'CONFIRMED',
    'OnchainTransaction.tx_type': 'ONCHAIN_SEND',
    'WalletMovement.token': 'USDC',
  },
  origins: [
    [/^onchain\.send$/, 'Coins in the wallet: the sandbox’s `POST /faucet`'],
    [/^onchain\.(get|record)\.tx_hash$/, 'onchain.send'],
  ],
  answers: [[/^transaction_type$/, 'ONCHAIN_SEND']],
  meanings: {
    as_of: 'That of the first page: later pages then are of the same list',
  },
  bodies: ({ chain, wallet_address }) => ({
    'onchain.send': {
      wallet_address,
      chain_id: chain,
      token_symbol: isChainKey(chain) ? CHAINS[chain].native : undefined,
      token_contract: 'native',
      amount: '1.00',
    },
  }),
};
