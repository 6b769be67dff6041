import { UUID } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const CARDANO_COSTS =
  'The fee is 0.5 % of the amount on the way in and 0.75 % on the way out, and minting and burning are part of it. The network takes about 0.17 ADA for each transaction; what the percentages do not cover of it is charged on top of the amount as `network_fee`.';

const CARDANO_503 =
  'What is not decided within half a minute is 503 with `status: PENDING`; the same `Idempotency-Key` asks again.';

const CARDANO_EVENTS = '`cardano_order.minted` and `cardano_order.completed` follow.';

/** What the reference says of this feature beside its declarations. */
export const CARDANO_WORDS: FeatureWords = {
  tags: {
    cardano: {
      group: 'Ramps',
      text: 'From a card or wallet over USDC on Cardano to a wallet, a bank or an address.',
    },
  },
  values: {
    chain_id: { cardano: 'Cardano' },
    source: { CARD: 'The order is paid by a card', WALLET: 'The order is paid from a wallet' },
    target: {
      WALLET: 'Money in a wallet of the platform',
      BANK: 'Money on a bank account',
      ADDRESS: 'USDC at an address on Cardano',
    },
  },
  titles: {
    'cardano.cardToWallet': 'Pay from a card to a wallet',
    'cardano.cardToBank': 'Pay from a card to a bank',
    'cardano.cardToAddress': 'Pay from a card to an address',
    'cardano.walletToBank': 'Pay from a wallet to a bank',
    'cardano.walletToWallet': 'Pay from a wallet to a wallet',
    'cardano.walletToAddress': 'Pay from a wallet to an address',
    'cardano.listHistory': 'List orders on Cardano',
    'cardano.getVolume': 'Get minted volume by day',
    'cardano.treasuryBalance': 'Get the treasury’s balance',
    'cardano.addressBalance': 'Get the balance of an address',
  },
  descriptions: {
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
  },
  places: {
    'CardanoBankIn.status': 'SUCCESS_RECEIVED',
    'CardanoBankOut.status': 'SUCCESS_RECEIVED',
    'CardanoTransaction.status': 'SUCCESS_RECEIVED',
    'CardanoWalletIn.status': 'SUCCESS_RECEIVED',
    'CardanoWalletOut.status': 'SUCCESS_RECEIVED',
    'cardano.walletToWallet.status': 'SUCCESS_RECEIVED',
    'CardanoBankIn.provider': 'CARDS',
    'CardanoWalletIn.provider': 'PLATFORM',
    'CardanoBankOut.provider': 'BANK',
    'CardanoTransaction.provider': 'CARDANO',
    'CardanoTransaction.source': 'WALLET',
    'CardanoTransaction.tx_type': 'MINT',
  },
  origins: [
    [/^cardano\.walletToWallet\.wallet_to_id$/, 'fiatWallets.open'],
    [/^cardano\.\w+ToBank$/, 'A bank account: `POST /idrtoken/banks/add`'],
    [/^cardano\.\w+\.(user_wallet_address|address)$/, 'a wallet of Cardano’s test network'],
  ],
  answers: [
    [/^lovelace$/, '1034400'],
    [/^vban$/, '880000000000524'],
    [/^reference_id_in$/, `CARDANO-IN-${UUID}`],
    [/^reference_id_out$/, `CARDANO-OUT-${UUID}`],
    [/^policy_id$/, 'caa14f6c341daa42add3cf3062b2023e1fd2b245b6a5776f28eea451'],
    [/^asset_id$/, 'caa14f6c341daa42add3cf3062b2023e1fd2b245b6a5776f28eea45155534443'],
    [/^partner_fee$/, '0'],
    [/^network_fee$/, '0.05'],
    [/^rates_source$/, 'coinbase'],
    [/^tx_flow$/, 'OUT'],
  ],
  meanings: {
    user_wallet_address: 'Who gets it, on Cardano’s test network',
    currency_from: 'In which it is paid, ISO 4217',
    currency_to: 'In which it arrives, ISO 4217',
  },
};
