import { CHAIN_KEYS } from '#chains/evm/port.ts';
import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';

const CARDANO_COSTS =
  'The fee is 0.5 % of the amount on the way in and 0.75 % on the way out, and minting and burning are part of it. The network takes about 0.17 ADA for each transaction; what the percentages do not cover of it is charged on top of the amount as `network_fee`.';
const CARDANO_503 =
  'What is not decided within half a minute is 503 with `status: PENDING`; the same `Idempotency-Key` asks again.';
const CARDANO_EVENTS = '`cardano_order.minted` and `cardano_order.completed` follow.';
const [FIRST, SECOND, THIRD] = CHAIN_KEYS;
const CROSSCHAIN_TIMES = `Indicative times on public networks: 5 to 8 minutes between ${FIRST} and ${SECOND}, 3 to 6 between ${SECOND} and ${THIRD}, 6 to 10 between ${FIRST} and ${THIRD}.`;

/** Wallets on chains, and what is sent over them. */
export const OF_CHAINS: Vocabulary['descriptions'] = {
  'cryptoWallets.create':
    'Users create wallets for themselves. The platform keeps the keys; `POST /manual/wallets/crypto/{bw_id}/address` makes the address. `crypto_wallet.created` follows.',
  'cryptoWallets.list':
    'Users see their own wallets; an admin sees those of the people of the own client. Values are in USD at the rate of now.',
  'cryptoWallets.listAddresses': 'The owner reads it, and an admin of the owner’s client.',
  'onchain.listEverything':
    'Users read their own history; an admin reads that of the people of the own client.',
  'onchain.listHistory':
    'Users read their own history; an admin reads that of the people of the own client.',
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
  'feeSettings.get': 'An admin reads the settings of the own client.',
  'feeSettings.set':
    'An admin sets them for the own client; they hold for sends that begin afterwards. A fee below the operator’s is 400 `FEE_BELOW_FLOOR`. `fee_settings.updated` follows.',
  'agent.process':
    'Users call it for their own wallets. Where something is missing the answer is 206 and names it in `missing_parameter`; before money moves the agent shows amount, coin and receiver, and acts only after a yes. What it does is what the endpoints do, with their limits and events.',
  'agent.health': 'Any logged-in user may call it. It is 503 where the agent cannot work.',
  'cardano.cardToWallet': `The card pays \`fiat_amount\`; users call it for themselves. The platform mints USDC on Cardano, burns them and pays the wallet, which may be any of the same client. ${CARDANO_COSTS} Indicative time on the public network: 30 minutes to 2 hours. ${CARDANO_503} ${CARDANO_EVENTS}`,
  'cardano.cardToBank': `The card pays \`fiat_amount\`; users call it for themselves. Their first bank account gets the money. ${CARDANO_COSTS} Indicative time on the public network: 2 to 4 hours. ${CARDANO_503} ${CARDANO_EVENTS}`,
  'cardano.cardToAddress': `The card pays \`fiat_amount\`; users call it for themselves. The USDC are minted to \`user_wallet_address\`. ${CARDANO_COSTS} Indicative time on the public network: 5 to 10 minutes for the mint. ${CARDANO_503} ${CARDANO_EVENTS}`,
  'cardano.walletToBank': `The user’s own wallet pays \`fiat_amount\`, which is set aside first. The user’s first bank account gets the money. ${CARDANO_COSTS} Indicative time on the public network: 1 to 3 business days. ${CARDANO_503} ${CARDANO_EVENTS} What the bank refuses goes back to the wallet.`,
  'cardano.walletToWallet': `The user’s own wallet pays \`fiat_amount\`, which is set aside first. The other wallet may be any of the same client. ${CARDANO_COSTS} Indicative times on the public network: 5 to 10 minutes for the mint, 1 to 2 minutes for a transfer. ${CARDANO_503} ${CARDANO_EVENTS}`,
  'cardano.walletToAddress': `The user’s own wallet pays \`fiat_amount\`, which is set aside first. The USDC are minted to \`user_wallet_address\`. ${CARDANO_COSTS} Indicative times on the public network: 5 to 10 minutes for the mint, 1 to 2 minutes for a transfer. ${CARDANO_503} ${CARDANO_EVENTS}`,
  'cardano.listHistory':
    'Users read their own history; an admin reads that of the people of the own client.',
  'cardano.getVolume':
    'Users read their own volume; an admin reads that of the people of the own client. An order counts once, on the day of its mint.',
  'cardano.treasuryBalance':
    'Any logged-in user may call it. Each call reads the chain. `held` is what transactions under way spend, and the ADA that the network wants beside tokens; the network’s fee comes out of the ADA that are available.',
  'cardano.addressBalance':
    'Any logged-in user may call it. Each call reads the chain. Of the ADA those are `held` that the network wants beside the tokens of the address, about one ADA; the network’s fee comes out of those that are available, and no output is smaller than about one ADA.',
  'cryptoWallets.getBalance':
    'Users read their own wallets; an admin those of the people of the own client. `held` is what payments under way will take, gas included; `available` is what can be spent. The gas of a send comes out of the coin, and the platform’s fee out of the asset that is sent. Null where the chain, or the token, does not answer.',
  'xrpl.buy':
    'A user calls it. `fiat_amount` comes out of the caller’s wallet of that currency; an `amount` of USDC out of the USD wallet at the rate of the moment. The platform holds the USDC for the user, who can sell or send them. The ledger decides within seconds; `xrpl_transaction.succeeded` follows, or `xrpl_transaction.failed`, and then the wallet has its money back. After a 503 `GET /xrpl/onramp/status/{txid}` shows the end.',
  'xrpl.sell':
    'A user calls it; the user’s USDC pay. They go to `destination_address`, or are sold for `target_fiat` into a wallet or a bank account. An address of many people needs its `destination_tag`. An address without a trust line for USDC is 400; in mock mode such an address, also one that does not exist, is opened on the sandbox’s ledger and gets its trust line, so that everything can be tried. `xrpl_transaction.succeeded` follows, or `xrpl_transaction.failed`, and then the user has the USDC back.',
  'walletProofs.list':
    'Users see their own. A proven wallet counts as the user’s where burns and payments are looked at.',
  'walletProofs.remove':
    'Users remove their own. What the wallet has proven before stays as it is.',
  'xrpl.listHistory': 'A user sees the own operations.',
};
