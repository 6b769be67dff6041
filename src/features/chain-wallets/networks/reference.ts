import { CHAINS, exampleChain, explorerTxUrl } from '#chains/evm/port.ts';
import { ADDRESS, HASH } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const CHAIN = exampleChain().key;
const ASSETS = {
  native: 'The network’s own coin',
  USDC: 'The platform’s USDC there',
  IDRT: 'The platform’s rupiah token there',
};

/** What the reference says of this feature beside its declarations. */
export const NETWORKS_WORDS: FeatureWords = {
  tags: {
    networks: {
      group: 'Crypto',
      text: 'The networks: their state, fees and finality as measured, and what of a transaction or an address they know.',
    },
    testnet: { group: 'Crypto', text: 'Test coins for wallets that are managed here.' },
  },
  descriptions: {
    'networks.list':
      'Heads and fees are at most five seconds old. A network that is away is `DOWN` with its last block, and no error; one whose newest block is older than usual is `BEHIND`.',
    'networks.getTransaction':
      '`UNKNOWN` is an answer: the network has no transaction of that hash. Amounts of tokens that are not the platform’s are named by their contract, since any contract may call itself USDC.',
    'testnet.give':
      'Three times a day for each asset, within the platform’s budget of test mints. Only on test networks, and only to an address that is managed here.',
  },
  places: {
    'networks.get.id': CHAIN,
    'networks.getTransaction.id': CHAIN,
    'networks.getTransaction.hash': HASH,
    'networks.getAddress.id': CHAIN,
    'Network.network_id': CHAIN,
    'Network.kind': 'evm',
    'NetworkFee.price': '2500000000',
    'NetworkFee.transfer_cost': '0.0000525',
    'NetworkFee.transfer_cost_usd': '0.16',
    'NetworkFee.max_fee_per_gas': '4500000000',
    'NetworkFee.max_priority_fee_per_gas': '500000000',
    'NetworkTransaction.what': `Sends 12.5 USDC to ${ADDRESS}`,
    'OwnThing.type': 'transfer',
    'OwnThing.id': '8f3f2c1e-6b1d-4f7e-9a55-0d6a2f1c7e11',
    'NetworkTransaction.proof_url': explorerTxUrl(CHAINS[exampleChain().key], HASH),
    'TrustLine.limit': '900000000',
    'FaucetGift.network_id': CHAIN,
    'FaucetGift.asset': 'USDC',
  },
  bodies: ({ chain, wallet_address: address }) => ({
    'testnet.give': { network_id: chain, asset: 'USDC', address },
  }),
  meanings: {
    network_id: 'A network, as `GET /networks` names it',
    asset: 'The coin of the network, or a token of the platform',
    hash: 'The hash of a transaction, in the form of its network',
  },
  origins: [
    [/^networks\.\w+\.id$|^testnet\.give\.network_id$/, 'networks.list'],
    [/^networks\.getAddress\.address$/, 'any address of that network'],
    [/^networks\.getTransaction\.hash$/, 'any transaction of that network'],
  ],
  values: {
    'Network.status': {
      UP: 'It answers, and its newest block is young',
      BEHIND: 'It answers, and its newest block is older than usual',
      DOWN: 'It does not answer; the block is the last one seen',
    },
    'NetworkTransaction.status': {
      PENDING: 'The network has it, and no block yet',
      MINED: 'It is in a block that has too few confirmations',
      FINAL: 'It counts',
      FAILED: 'A block has it as failed: only its fee was taken',
      UNKNOWN: 'The network does not know it',
    },
    'FaucetGift.status': {
      PENDING: 'It is on its way',
      SENT: 'It is in a block',
      FAILED: 'It could not be sent',
    },
    'FaucetGift.asset': ASSETS,
    'testnet.give.asset': ASSETS,
  },
};
