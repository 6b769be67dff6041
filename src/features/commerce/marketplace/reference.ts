import { ADDRESS } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** This feature's words in the API reference, beside its declarations. */
const MARKETPLACES = {
  marketplace_1: 'The first marketplace',
  marketplace_2: 'The second marketplace',
};

export const MARKETPLACE_WORDS: FeatureWords = {
  tags: {
    marketplace: {
      group: 'Purchases',
      text: 'Goods of two marketplaces, ordered and paid in USDC.',
    },
  },
  values: {
    source: MARKETPLACES,
    sources: MARKETPLACES,
    'marketplace.fulfil.status': {
      COMPLETED: 'The goods were bought at the shop',
      FAILED: 'The goods cannot be had',
    },
  },
  titles: {
    'marketplace.chat': 'Chat about a purchase',
    'marketplace.search': 'Search products',
    'marketplace.order': 'Order a product',
    'marketplace.pay': 'Pay an order',
    'marketplace.getOrder': 'Get an order',
    'marketplace.showPayment': 'Show the payment page',
    'marketplace.fulfil': 'Fulfil an order',
    'marketplace.listPayments': 'List payments owed to payers',
    'marketplace.refundPayment': 'Refund an owed payment',
    'marketplace.assignPayment': 'Assign an owed payment',
    'marketplace.markPaymentRefunded': 'Mark an owed payment refunded',
    'marketplace.writeOffPayment': 'Write off a dropped payment',
  },
  descriptions: {
    'marketplace.chat':
      'Anybody may call it. A language model answers; nothing is ordered. The caller keeps the conversation and sends it along as `conversation_history`.',
    'marketplace.search':
      'Anybody may call it. Prices of goods in rupiah are shown in USD at the rate of now. `POST /marketplace/orders` takes a product as it is answered here.',
    'marketplace.listOrders': 'A user sees the own orders.',
    'marketplace.listPayments':
      'Only an admin of the operator may call it. `POST /marketplace/payments/{payment_id}/refund` and its neighbours settle a payment.',
  },
  places: {
    'marketplace.pay.status': 'PENDING',
    'MarketplaceOrder.id': '1480000287',
    'marketplace.order.id': '1480000287',
    'MarketplacePayment.token': ADDRESS,
  },
  origins: [
    [/^marketplace\.order\.product$/, 'marketplace.search'],
    [/^marketplace\.\w+\.order_id$/, 'marketplace.order'],
    [/^marketplace\.\w+\.payment_id$/, 'marketplace.listPayments'],
  ],
  answers: [
    [/^(marketplace)$/, 'Etsy'],
    [/^productId$/, '1480000287'],
    [/^shop_location$/, 'US'],
    [/^reply$/, 'These are canvas bags that fit.'],
    [/^assigned_order_id$/, 'MKT-1795430364310-8ufbk3na'],
    [/^(owed|lost)$/, '0.000000'],
  ],
  meanings: {
    'marketplace.chat.role': 'Who has said it',
    'MarketplacePayment.token': 'Which token',
    'MarketplaceProduct.metadata': 'What the shop says of it',
    'marketplace.order.metadata': 'What the shop says of it',
    'MarketplaceOrder.address': 'Where the person lives',
    'marketplace.order.address': 'Where the person lives',
    'MarketplaceProduct.total': 'Of all of it',
    'marketplace.order.total': 'Of all of it',
    query: 'What is looked for, in plain words',
    conversation_history: 'What was said before, the oldest first',
    content: 'What was said',
    productId: 'By which the marketplace knows it',
    price: 'Of the goods alone, in units of its currency',
    original_price: 'In the shop’s own currency',
    original_currency: 'ISO 4217',
    shipping: 'What sending it costs, in the same currency',
    vendor: 'Who sells it',
    vendor_reference: 'By which the shop knows the order',
    shop_name: 'What the shop is called',
    shop_url: 'Where the shop is',
    marketplace: 'What the marketplace is called',
    sources: 'Which marketplaces are searched; all unless said',
    key: 'The secret part of the page’s address',
    availability: 'Whether the goods are in stock, as the marketplace says',
    images: 'Pictures of it',
    shop_location: 'The country of the shop',
  },
};
