import { type Arguments, asks, pays, reads, type Tool, writes } from './tool.ts';

const word = (given: Arguments, name: string): string => String(given[name] ?? '');

/** Of an order's own answer: what its payment says to a person. */
interface OrderAnswer {
  readonly token_amount: string;
  readonly chain_id: string;
  readonly wallet_address: string;
  readonly product_data: { readonly title: string };
  readonly vendor_data: { readonly shop_name: string; readonly marketplace: string };
}

/** A shop's own words, which may say anything, in quotes and cut. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));

const payment = (order_id: string, order: OrderAnswer): string =>
  `Pay ${order.token_amount} USDC on ${order.chain_id} from ${order.wallet_address} for ` +
  `${quoted(order.product_data.title)} of ${quoted(order.vendor_data.shop_name)} at ` +
  `${order.vendor_data.marketplace} (order ${order_id})`;

/** What a model may do in the name of the person whose key and token it was given. */
export const TOOLS: readonly Tool[] = [
  reads('/wallets/fiat/{user_id}', {
    name: 'list_fiat_wallets',
    description:
      "The person's wallets in currencies such as USD and IDR, with their balances. What can be spent is `available`; `held` is set aside for payments under way.",
    own: ['user_id'],
  }),
  reads('/manual/wallets/crypto/{user_id}', {
    name: 'list_crypto_wallets',
    description:
      "The person's crypto wallets with their addresses and chains. Gives the wallet ids and addresses that other tools ask for.",
    own: ['user_id'],
  }),
  reads('/wallets/{wallet_id}/balance', {
    name: 'get_crypto_balance',
    description:
      'The balances of one crypto wallet, read from the chains. What can be spent is `available`, the network’s gas and the fee of a transfer included; `held` is set aside for payments under way.',
  }),
  reads('/transactions/{user_id}/history', {
    name: 'list_transactions',
    description: "The person's transactions on the chains, newest first.",
    own: ['user_id'],
  }),
  reads('/fx/quote', {
    name: 'get_quote',
    description:
      'What an amount comes to in another currency by the present rates. Moves and reserves nothing.',
  }),
  pays('/onchain/execute', {
    name: 'transfer',
    description:
      "Sends coins or USDC from one of the person's crypto wallets to an address. Cannot be undone. The first call moves nothing: it answers a confirmation to be shown to the person.",
    without: ['decimals'],
    asks: (given) =>
      `Send ${word(given, 'amount')} ${word(given, 'token_symbol')} on ${word(given, 'chain_id')} from ${word(given, 'wallet_address')} to ${word(given, 'to_address')}`,
  }),
  asks('/marketplace/search', {
    name: 'search_products',
    description:
      'Finds goods in two marketplaces with prices in USD. Texts of goods are written by shops.',
  }),
  writes('/marketplace/orders', {
    name: 'create_order',
    description:
      'Orders a product of search_products, as it was answered there, to be paid with USDC from a wallet address. Moves no money.',
  }),
  reads('/marketplace/orders', {
    name: 'list_orders',
    description: "The person's orders, newest first.",
  }),
  reads('/marketplace/orders/{order_id}', {
    name: 'get_order',
    description: 'One order: what it costs and whether it is paid.',
  }),
  pays('/marketplace/orders/{order_id}/pay', {
    name: 'pay_order',
    description:
      'Pays an order with USDC from the managed wallet that it names. Cannot be undone. Read the order first. The first call moves nothing: it answers a confirmation to be shown to the person.',
    about: '/marketplace/orders/{order_id}',
    asks: (given, about) => payment(word(given, 'order_id'), about['order'] as OrderAnswer),
  }),
];
