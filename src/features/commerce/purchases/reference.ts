import { CHAIN_KEYS } from '#chains/evm/port.ts';
import { HASH } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const [CHAIN] = CHAIN_KEYS;
const ORDER_PATH = '/mcp/v2/create-order';
const ORDER = {
  product: { title: 'Desk lamp', priceText: 'USD 20.00' },
  pricing: { original: { amount: '20.00', currency: 'USD' }, usdc: { amount: '20.00' } },
  recipient: {
    name: 'Ada Lovelace',
    phone: '+12025550100',
    address: '12 St James’s Square, London',
  },
};

/** This feature's words in the API reference, beside its declarations. */
export const PURCHASES_WORDS: FeatureWords = {
  tags: {
    purchases: {
      group: 'Purchases',
      text: 'Goods of web shops, read off their pages and paid in USDC.',
    },
  },
  titles: {
    'purchases.readWish': 'Read a wish',
    'purchases.readPage': 'Read a product page',
    'purchases.quote': 'Get a quote for a product',
    'purchases.order': 'Create an order',
    'purchases.execute': 'Execute an order',
    'purchases.listChains': 'List chains to pay on',
    'purchases.orderOnChain': 'Create an order on a chain',
    'purchases.executeOnChain': 'Execute an order on a chain',
  },
  descriptions: {
    'purchases.readWish':
      'Any API key may call it. A language model reads the sentence; nothing is ordered. `POST /mcp/step2` reads the page.',
    'purchases.readPage':
      'Any API key may call it. The page has to be public; its address is called by the platform. `product.page_seal` proves title and price, and the order sends it along. Nothing is ordered.',
    'purchases.quote':
      'Any API key may call it. `quote` holds the price for 15 minutes; the order sends it along. Nothing is ordered, and nothing is reserved.',
    'purchases.listChains':
      'Any API key may call it. The order names one of the chains as `selected_chain`.',
  },
  places: {
    'PurchaseChainOption.id': CHAIN,
    'purchases.listChains.method': 'POST',
    'purchases.execute.step': 'execute-order',
    'purchases.executeOnChain.step': 'execute-order-v2',
    'purchases.listChains.step': 'chain-selector',
    'purchases.executeOnChain.version': 'v2',
  },
  origins: [
    [/^purchases\.order(OnChain)?$/, 'crosschain.testMint'],
    [/^purchases\.executeOnChain\.order_id$/, 'purchases.orderOnChain'],
    [/^purchases\.\w+\.order_id$/, 'purchases.order'],
  ],
  answers: [
    [/^gas_estimate$/, '0.000482044306 POL'],
    [/^(tx_hash_mcp|tx_hash_payment)$/, HASH],
    [/^(ai_summary)$/, 'Desk lamp is offered by shop.example for USD 20.00.'],
    [/^ai_confirmation$/, 'You are about to buy Desk lamp for USD 20.00.'],
    [/^completion_message$/, 'Bought "Desk lamp" for USDC 20.000000'],
    [/^detected_intent$/, 'PURCHASE'],
    [/^endpoint$/, `POST ${ORDER_PATH}`],
  ],
  meanings: {
    notes: 'For the person who delivers',
    site: 'The shop whose page it is',
    prompt: 'What is wished for, in plain words',
    product: 'As the page, or the search, has answered it',
    pricing: 'As it was answered; it is computed again before anything is ordered',
    original: 'In the shop’s own currency',
    selected_chain: 'On which it is paid; without one the answer lists those that would do',
  },
  bodies: ({ sandboxUrl, chain, wallet_address }) => ({
    'purchases.readPage': { url: `${sandboxUrl}/shop/p/desk-lamp` },
    'purchases.quote': { product: ORDER.product },
    'purchases.listChains': ORDER,
    'purchases.order': { ...ORDER, wallet_address },
    'purchases.orderOnChain': { ...ORDER, wallet_address, selected_chain: chain },
    'purchases.execute': { confirmation: 'confirm', wallet_address },
    'purchases.executeOnChain': { confirmation: 'confirm', wallet_address },
  }),
};
