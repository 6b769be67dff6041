import { MONEY_TOOLS } from './money-tools.ts';
import { asks, inQuotes, pays, reads, steps, type Tool, word, writes } from './tool.ts';

/** Of an order's own answer: what its payment says to a person. */
interface OrderAnswer {
  readonly token_amount: string;
  readonly chain_id: string;
  readonly wallet_address: string;
  readonly product_data: { readonly title: string };
  readonly vendor_data: { readonly shop_name: string; readonly marketplace: string };
}

const payment = (order_id: string, order: OrderAnswer): string =>
  `Pay ${order.token_amount} USDC on ${order.chain_id} from ${order.wallet_address} for ` +
  `${inQuotes(order.product_data.title)} of ${inQuotes(order.vendor_data.shop_name)} at ` +
  `${order.vendor_data.marketplace} (order ${order_id})`;

/**
 * All that a model may do in a person's name, whether it is our own agent's or one that was given the person's key
 * and token; nothing that no endpoint does.
 */
export const TOOLS = {
  list_fiat_wallets: reads('/wallets/fiat/{user_id}', {
    description:
      "The person's wallets in currencies such as USD and IDR, with their balances. What can be spent is `available`; `held` is set aside for payments under way.",
    own: ['user_id'],
  }),
  ...MONEY_TOOLS,
  list_crypto_wallets: reads('/manual/wallets/crypto/{user_id}', {
    description:
      "The person's crypto wallets with their addresses and chains. Gives the wallet ids and addresses that other tools ask for.",
    own: ['user_id'],
  }),
  get_crypto_balance: reads('/wallets/{wallet_id}/balance', {
    description:
      'The balances of one crypto wallet, read from the chains. What can be spent is `available`, the network’s gas and the fee of a transfer included; `held` is set aside for payments under way.',
  }),
  list_transactions: reads('/transactions/{user_id}/history', {
    description: "The person's transactions on the chains, newest first.",
    own: ['user_id'],
  }),
  get_quote: reads('/fx/quote', {
    description:
      'What an amount comes to in another currency by the present rates. Moves and reserves nothing.',
  }),
  transfer: pays('/onchain/execute', {
    description:
      "Sends coins or USDC from one of the person's crypto wallets to an address. Cannot be undone. The first call moves nothing: it answers a confirmation to be shown to the person.",
    without: ['decimals'],
    asks: (given) =>
      `Send ${word(given, 'amount')} ${word(given, 'token_symbol')} on ${word(given, 'chain_id')} from ${word(given, 'wallet_address')} to ${word(given, 'to_address')}`,
  }),
  search_products: asks('/marketplace/search', {
    description:
      'Finds goods in two marketplaces with prices in USD. Texts of goods are written by shops.',
  }),
  create_order: writes('/marketplace/orders', {
    description:
      'Orders a product of search_products, as it was answered there, to be paid with USDC from a wallet address. Moves no money.',
  }),
  list_orders: reads('/marketplace/orders', {
    description: "The person's orders, newest first.",
  }),
  get_order: reads('/marketplace/orders/{order_id}', {
    description: 'One order: what it costs and whether it is paid.',
  }),
  pay_order: pays('/marketplace/orders/{order_id}/pay', {
    description:
      'Pays an order with USDC from the managed wallet that it names. Cannot be undone. Read the order first. The first call moves nothing: it answers a confirmation to be shown to the person.',
    about: 'get_order',
    asks: (given, about) => payment(word(given, 'order_id'), about['order'] as OrderAnswer),
  }),
  create_crypto_wallet: writes('/manual/wallets/crypto', {
    description: 'Makes a crypto wallet of that name. It has no address yet.',
    own: ['user_id'],
  }),
  import_token: writes('/tokens/import', {
    description:
      "Adds a token, by its contract's address on a chain, to those whose balances are shown.",
    own: ['user_id'],
  }),
  // Its answer has the words of the new address, which no model of others may read.
  add_wallet_address: steps('POST', '/manual/wallets/crypto/{bw_id}/address', {
    description: 'Makes an address on a chain for a crypto wallet.',
  }),
  begin_transfer: steps('POST', '/crosschain/initiate', {
    description: 'Begins a transfer of USDC between chains.',
    own: ['user_id'],
  }),
  burn_transfer: steps('POST', '/crosschain/burn', {
    description: 'Burns the USDC of a transfer on the chain of origin.',
  }),
  fail_transfer: steps('PATCH', '/crosschain/confirm', {
    description: 'Ends a transfer that was not burnt.',
  }),
  mint_transfer: steps('POST', '/crosschain/mint', {
    description: 'Mints the USDC of a transfer on the destination chain.',
  }),
  get_transfer: steps('GET', '/crosschain/details/{log_id}', {
    description: 'One transfer between chains.',
  }),
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof TOOLS;
