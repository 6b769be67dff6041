import { randomBytes } from 'node:crypto';
import type { Recipe } from './recipe.ts';
import type { Stage } from './stage.ts';

const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7';

async function sent(stage: Stage): Promise<void> {
  const person = await stage.person();
  const { address } = await stage.chainWallet(person, 'sepolia', '1');
  await person.archipay.onchain.send({
    wallet_address: address,
    chain_id: 'sepolia',
    token_symbol: 'ETH',
    token_contract: 'native',
    to_address: PAYEE,
    amount: '0.01',
  });
}

async function crossed(stage: Stage): Promise<void> {
  const person = await stage.person();
  const { archipay, user_id } = person;
  const { bw_id } = await stage.chainWallet(person, 'sepolia', '20');
  const there = await archipay.cryptoWallets.addAddress({ bw_id, chain_id: 'amoy' });
  const { data } = await archipay.crosschain.initiate({
    user_id,
    amount: '10',
    from_chain: 'sepolia',
    to_chain: 'amoy',
    token: 'USDC',
    recipient_address: there.data.wallet_address,
  });
  const { log_id, nonce } = data;
  await archipay.crosschain.burn({ log_id, nonce });
  await archipay.crosschain.mint({ nonce });
}

async function bridged(stage: Stage): Promise<void> {
  const person = await stage.person();
  const { archipay } = person;
  const { address } = await stage.chainWallet(person, 'sepolia', '20');
  const { data } = await archipay.bridge.createQuote({
    from_chain: 'sepolia',
    to_chain: 'amoy',
    amount: '10',
    recipient_address: PAYEE,
  });
  await archipay.bridge.create({ quote_id: data.quote_id, source: { address } });
}

export const CHAINS: readonly Recipe[] = [
  {
    types: ['crypto_wallet.created', 'wallet_address.created', 'crypto_wallet.deleted'],
    how: 'A user makes a wallet on chains with an address, and deletes it.',
    async run(stage) {
      const person = await stage.person();
      const { user_id, archipay } = person;
      const { bw_id } = await stage.chainWallet(person, 'sepolia');
      await archipay.cryptoWallets.delete({ bw_id, user_id, confirmation: 'delete' });
    },
  },
  {
    types: ['transfer.requested', 'transfer.confirmed'],
    how: 'A user sends coins to an address outside.',
    run: sent,
  },
  {
    types: ['reported_transfer.logged'],
    how: 'A user reports a transfer that was made elsewhere.',
    mode: 'mock',
    async run(stage) {
      const person = await stage.person();
      const { bw_id } = await stage.chainWallet(person, 'amoy');
      await person.archipay.onchain.record({
        bw_id,
        tx_hash: `0x${randomBytes(32).toString('hex')}`,
        amount: '0.5',
        to_address: PAYEE,
        token_symbol: 'POL',
        chain_id: 'amoy',
        token_contract: 'native',
        gas_fee: '0.00021',
        platform_fee: '0',
      });
    },
  },
  {
    types: [
      'crosschain_transfer.initiated',
      'crosschain_transfer.burn_started',
      'crosschain_transfer.burned',
      'crosschain_transfer.mint_started',
      'crosschain_transfer.minted',
    ],
    how: 'USDC is burnt on one chain and minted on another.',
    run: crossed,
  },
  {
    types: [
      'bridge_transfer.burning',
      'bridge_transfer.burned',
      'bridge_transfer.attested',
      'bridge_transfer.minting',
      'bridge_transfer.sending',
      'bridge_transfer.completed',
    ],
    how: 'A user moves USDC to an address on another chain by the bridge.',
    run: bridged,
  },
];
