import { CHAINS } from '#chains/evm/port.ts';
import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';
import { DEMO_ACCOUNT, DEMO_TOKENS } from '#providers/extauth/demo-tokens.ts';
import { DEMO_PUBLIC_TOKEN } from '#providers/plaid/demo-token.ts';
import { DEMO } from '../seed.ts';

const DEMO_WALLET_ID = 3;
const { address: wallet_address, chain_id: chain } = DEMO.wallet;

const ORDER = {
  product: { title: 'Desk lamp', priceText: 'USD 20.00' },
  pricing: { original: { amount: '20.00', currency: 'USD' }, usdc: { amount: '20.00' } },
  recipient: {
    name: 'Ada Lovelace',
    phone: '+12025550100',
    address: '12 St James’s Square, London',
  },
};

/** What the demo's user can send as it is; pages to buy from are the sandbox's. */
export const bodiesOf = (sandboxUrl: string): Vocabulary['bodies'] => ({
  'bankLink.exchangeToken': { public_token: DEMO_PUBLIC_TOKEN },
  'bankLink.linkAccount': { public_token: DEMO_PUBLIC_TOKEN, wallet_id: DEMO_WALLET_ID },
  'crosschain.testMint': { chain, address: wallet_address },
  'externalLogin.logIn': { ext_token: DEMO_TOKENS.newcomer },
  'externalLogin.link': { ext_token: DEMO_TOKENS.account },
  'externalLogin.linkWallet': { ext_token: DEMO_TOKENS.wallet },
  'externalLogin.disconnect': { ext_user_id: DEMO_ACCOUNT },
  'onchain.send': {
    wallet_address,
    chain_id: chain,
    token_symbol: CHAINS[chain].native,
    token_contract: 'native',
    amount: '1.00',
  },
  'purchases.readPage': { url: `${sandboxUrl}/shop/p/desk-lamp` },
  'purchases.quote': { product: ORDER.product },
  'purchases.listChains': ORDER,
  'purchases.order': { ...ORDER, wallet_address },
  'purchases.orderOnChain': { ...ORDER, wallet_address, selected_chain: chain },
  'purchases.execute': { confirmation: 'confirm', wallet_address },
  'purchases.executeOnChain': { confirmation: 'confirm', wallet_address },
});
