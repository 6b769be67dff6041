import { CHAIN_KEYS } from '#chains/evm/port.ts';
import { ADDRESS, NONCE } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const [FIRST, SECOND, THIRD] = CHAIN_KEYS;
const CROSSCHAIN_TIMES = `Indicative times on public networks: 5 to 8 minutes between ${FIRST} and ${SECOND}, 3 to 6 between ${SECOND} and ${THIRD}, 6 to 10 between ${FIRST} and ${THIRD}.`;

/** What the reference says of this feature beside its declarations. */
export const CROSSCHAIN_WORDS: FeatureWords = {
  tags: {
    crosschain: {
      group: 'Crypto',
      text: 'USDC from one chain to another: burnt here, minted there.',
    },
  },
  titles: {
    'crosschain.initiate': 'Begin a cross-chain transfer',
    'crosschain.confirm': 'Confirm a burn',
    'crosschain.confirmByPost': 'Confirm a burn by POST',
    'crosschain.mint': 'Mint on the destination chain',
    'crosschain.burn': 'Burn on the source chain',
    'crosschain.burnWithKey': 'Burn with a posted private key',
    'crosschain.getBalance': 'Get the balance of an address',
    'crosschain.testMint': 'Mint test USDC',
    'crosschain.listHistory': 'List cross-chain transfers',
    'crosschain.get': 'Get a cross-chain transfer',
  },
  descriptions: {
    'crosschain.initiate': `A user begins it, or an admin for a person of the own client; it records the transfer and moves nothing. The next steps are \`POST /crosschain/burn\` and \`POST /crosschain/mint\`. The platform fee is taken with the burn. ${CROSSCHAIN_TIMES} \`crosschain_transfer.initiated\` follows.`,
    'crosschain.confirm':
      'The owner of the transfer calls it, or an admin of the owner’s client, for a burn that was sent by an own wallet. Out of mock mode the chain has to show the burn; a transfer whose burn is on its way cannot be reported as failed. `crosschain_transfer.burned` or `crosschain_transfer.failed` follows.',
    'crosschain.confirmByPost':
      'It takes the same body and gives the same answers as `PATCH /crosschain/confirm`.',
    'crosschain.burn': `The owner of the transfer calls it. In the mode \`backend\` the user’s managed wallet pays the amount, the platform fee and the gas; in the mode \`external_wallet\` the chain has to show the burn of \`tx_hash\`. ${CROSSCHAIN_TIMES} \`crosschain_transfer.burned\` follows. After a 503 \`NOT_READY\` repeat the request: a transfer is burnt once.`,
    'crosschain.burnWithKey':
      'The owner of the transfer calls it, and the wallet of the key pays. In production it is 403 `FORBIDDEN` unless the operator has switched it on: sign the burn yourself and name its hash at `POST /crosschain/burn`.',
    'crosschain.mint': `The owner of the transfer calls it, or an admin of the owner’s client. The recipient gets exactly the amount; the platform pays the gas. ${CROSSCHAIN_TIMES} \`crosschain_transfer.minted\` follows. After a 503 repeat the request: a transfer is minted once.`,
    'crosschain.getBalance':
      'Any logged-in user may call it. Each call reads the chain. Of a managed wallet in the caller’s reach `held` is what payments under way will take, and `available` what can be spent: the platform’s fee of a send or burn comes out of it. Of any other address all is available that the chain shows.',
    'crosschain.testMint':
      'Any logged-in user may call it. The tokens have no value, and there is no such operation on main networks. Where gas costs the platform something, limits hold for each user and network.',
    'crosschain.listHistory':
      'Users read their own transfers; an admin reads those of the people of the own client.',
  },
  places: {
    'CrosschainStep.status': 'BURNED',
    'CrosschainTransfer.status': 'MINTED',
    'crosschain.burnWithKey.status': 'BURNED',
    'crosschain.initiate.status': 'INITIATED',
    'crosschain.listHistory.status': 'MINTED',
    'crosschain.mint.status': 'MINTED',
    'crosschain.getBalance.source': 'chain',
    'crosschain.testMint.mode': 'manual',
    'crosschain.initiate.data': '0x7d13fe28',
    'CrosschainTransfer.token': ADDRESS,
    'crosschain.initiate.token': ADDRESS,
    'crosschain.mint.nonce': NONCE,
    'crosschain.burn.nonce': NONCE,
    'crosschain.burnWithKey.nonce': NONCE,
  },
  origins: [[/^crosschain\.\w+\.(log_id|nonce)$/, 'crosschain.initiate']],
  meanings: {
    chain: 'Our word for a chain',
    from_chain: 'On which the tokens are burnt',
    to_chain: 'On which they are minted',
    recipient_address: 'Who gets it, on the other chain',
    return_address: 'Where it goes back to if the transfer fails',
    nonce: 'Of the burn, as its message has it',
    private_key: 'Signs this one burn and is kept nowhere; better sign it yourself',
  },
  bodies: ({ chain, wallet_address: address }) => ({
    'crosschain.testMint': { chain, address },
  }),
};
