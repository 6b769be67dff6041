import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';

/** Purchases in web shops, and the marketplaces. */
export const OF_SHOPS: Vocabulary['descriptions'] = {
  'purchases.readWish':
    'Any API key may call it. A language model reads the sentence; nothing is ordered. `POST /mcp/step2` reads the page.',
  'purchases.readPage':
    'Any API key may call it. The page has to be public; its address is called by the platform. `product.page_seal` proves title and price, and the order sends it along. Nothing is ordered.',
  'purchases.quote':
    'Any API key may call it. `quote` holds the price for 15 minutes; the order sends it along. Nothing is ordered, and nothing is reserved.',
  'purchases.listChains':
    'Any API key may call it. The order names one of the chains as `selected_chain`.',
  'marketplace.chat':
    'Anybody may call it. A language model answers; nothing is ordered. The caller keeps the conversation and sends it along as `conversation_history`.',
  'marketplace.search':
    'Anybody may call it. Prices of goods in rupiah are shown in USD at the rate of now. `POST /marketplace/orders` takes a product as it is answered here.',
  'marketplace.listOrders': 'A user sees the own orders.',
  'marketplace.listPayments':
    'Only an admin of the operator may call it. `POST /marketplace/payments/{payment_id}/refund` and its neighbours settle a payment.',
};
