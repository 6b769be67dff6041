import { type Static, Type } from 'typebox';
import { CHAIN_KEYS, type ChainKey, isChainKey } from '#chains/evm/port.ts';
import { errorEnvelope } from '#kernel/http/envelope.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import { named } from '#kernel/http/named.ts';
import { endpoints, type Fault, type Route } from '#kernel/http/route.ts';
import { Nullable, Timestamp, text } from '#kernel/http/schema.ts';
import { chainOptions } from './chain-options.ts';
import { createOrder, type OrderWish } from './create.ts';
import { EXECUTE_ERRORS, ORDER_ERRORS } from './declared.ts';
import type { OrderRouteDeps } from './deps.ts';
import { executeOrder } from './execute.ts';
import {
  lacking,
  PricingInput,
  ProductInput,
  productOf,
  RecipientInput,
  recipientOf,
} from './order-input.ts';
import {
  ChainOption,
  ChainShape,
  chainOf,
  Executed,
  executed,
  Product,
  pricingOf,
  RecipientShape,
  TransactionAhead,
  transactionAhead,
  walletOf,
} from './presenters.ts';
import { PricingShape } from './quote.ts';

const endpoint = endpoints(errorEnvelope);

/** Orders, and what is paid for them (contract: AI purchase flow). None of it asks a language model. */
export const orderRoutes = (deps: OrderRouteDeps): Route[] => [
  createRoute(deps),
  executeRoute(deps),
  selectorRoute(deps),
  createOnChainRoute(deps),
  executeOnChainRoute(deps),
];

const PARTS = ['product', 'pricing', 'recipient'] as const;
const WANTED = [...PARTS, 'wallet_address'];
const MISSING = 'Missing required data';

const orderBody = {
  product: ProductInput,
  pricing: PricingInput,
  recipient: RecipientInput,
  wallet_address: text(100),
};
const OrderBody = Type.Object(orderBody);

const bodyOf = (body: Static<typeof OrderBody>): OrderWish['body'] => ({
  product: productOf(body.product),
  pricing: body.pricing,
  recipient: recipientOf(body.recipient),
  wallet_address: body.wallet_address,
});

const createRoute = (deps: OrderRouteDeps): Route =>
  endpoint('POST /mcp/create-order', {
    name: 'purchases.order',
    auth: 'user',
    errors: ORDER_ERRORS,
    summary:
      'Writes down what is to be bought, for what and for whom, on the first version’s chain',
    body: OrderBody,
    bodyKind: 'list',
    invalid: lacking(MISSING, WANTED),
    reply: {
      200: Type.Object({
        step: Type.Literal('create-order'),
        order_id: Type.String(),
        created_at: Timestamp,
        wallet: Type.Object({
          address: Type.String(),
          balance_usdc: Type.String(),
          balance_formatted: Type.String(),
        }),
        transaction: TransactionAhead,
        recipient: RecipientShape,
        pricing: PricingShape,
        ready_for_payment: Type.Boolean(),
      }),
    },
    async handler({ caller, request, operation, body }) {
      const wish = { caller, request, operation, version: 'v1', chain_id: deps.home } as const;
      const created = await createOrder(deps, { ...wish, body: bodyOf(body) });
      const { order } = created;
      return {
        step: 'create-order' as const,
        order_id: order.order_id,
        created_at: order.created_at,
        wallet: walletOf(created),
        transaction: transactionAhead(created),
        recipient: order.recipient,
        pricing: pricingOf(order),
        ready_for_payment: created.canPayGas,
      };
    },
  });

const ExecuteBody = named('PurchaseConfirmation', {
  order_id: text(64),
  confirmation: text(500, 0),
  wallet_address: text(100),
});
const executeInvalid = lacking(MISSING, ['order_id', 'confirmation', 'wallet_address']);

const executeRoute = (deps: OrderRouteDeps): Route =>
  endpoint('POST /mcp/execute-order', {
    name: 'purchases.execute',
    auth: 'user',
    errors: EXECUTE_ERRORS,
    summary:
      'Pays a confirmed order on chain, sells the USDC, records the purchase, mails a receipt',
    body: ExecuteBody,
    invalid: executeInvalid,
    reply: { 200: Type.Object(Executed) },
    async handler({ caller, request, body }) {
      return executed(await executeOrder(deps, { caller, request, body }), 'execute-order');
    },
  });

const executeOnChainRoute = (deps: OrderRouteDeps): Route =>
  endpoint('POST /mcp/v2/execute-order', {
    name: 'purchases.executeOnChain',
    auth: 'user',
    errors: EXECUTE_ERRORS,
    summary: 'The same, and tells on which chain it was paid',
    body: ExecuteBody,
    invalid: executeInvalid,
    reply: { 200: Type.Object({ ...Executed, version: Type.String(), chain_info: ChainShape }) },
    async handler({ caller, request, body }) {
      const order = await executeOrder(deps, { caller, request, body });
      return { ...executed(order, 'execute-order-v2'), version: 'v2', chain_info: chainOf(order) };
    },
  });

const CREATE_V2 = '/mcp/v2/create-order';

const selectorRoute = (deps: OrderRouteDeps): Route =>
  endpoint('POST /mcp/chain-selector', {
    name: 'purchases.listChains',
    auth: 'key',
    errors: ['PROVIDER_UNAVAILABLE'],
    summary: 'The chains that an order can be paid on, with contracts and what gas costs there now',
    body: Type.Object({ product: ProductInput, pricing: PricingInput, recipient: RecipientInput }),
    bodyKind: 'list',
    invalid: lacking(MISSING, PARTS),
    reply: {
      200: Type.Object({
        step: Type.Literal('chain-selector'),
        version: Type.Literal('v2'),
        message: Type.String(),
        order_summary: Type.Object({
          product: Product,
          pricing: Type.Object({
            original: Type.Object({ amount: Type.String(), currency: Type.String() }),
            usdc: Type.Object({ amount: Type.String() }),
          }),
          recipient: RecipientShape,
        }),
        chain_options: Type.Array(ChainOption),
        instructions: Type.Object({
          title: Type.String(),
          steps: Type.Array(Type.String()),
          note: Type.String(),
        }),
        next_step: Type.Object({
          endpoint: Type.String(),
          method: Type.String(),
          required_fields: Type.Array(Type.String()),
          note: Type.String(),
        }),
      }),
    },
    async handler({ body: { product, pricing, recipient } }) {
      return {
        step: 'chain-selector' as const,
        version: 'v2' as const,
        message: 'Choose the chain to pay on',
        order_summary: {
          product: productOf(product),
          pricing,
          recipient: recipientOf(recipient),
        },
        chain_options: await chainOptions(deps.evm, deps.home),
        instructions: INSTRUCTIONS,
        next_step: NEXT_STEP,
      };
    },
  });

const INSTRUCTIONS = {
  title: 'Choose a chain',
  steps: [
    'Pick a chain on which your wallet has an address and USDC.',
    'Keep a little of its own coin there: it pays the gas.',
    `Send the order with selected_chain to ${CREATE_V2}.`,
  ],
  note: 'All of them are test networks. Nothing is paid before you confirm the order.',
};
const NEXT_STEP = {
  endpoint: CREATE_V2,
  method: 'POST',
  required_fields: [...PARTS, 'selected_chain', 'wallet_address'],
  note: 'Needs a log-in token. The price is worked out anew from priceText.',
};

const createOnChainRoute = (deps: OrderRouteDeps): Route =>
  endpoint('POST /mcp/v2/create-order', {
    name: 'purchases.orderOnChain',
    auth: 'user',
    errors: ORDER_ERRORS,
    summary: 'Writes an order down for the chain that was chosen',
    body: Type.Object({ ...orderBody, selected_chain: Type.Optional(Nullable(text(32, 0))) }),
    bodyKind: 'list',
    invalid: lackingOnChain,
    reply: {
      200: Type.Object({
        step: Type.Literal('create-order-v2'),
        version: Type.Literal('v2'),
        order_id: Type.String(),
        created_at: Timestamp,
        chain_info: ChainShape,
        wallet: Type.Object({
          address: Type.String(),
          balance_usdc: Type.String(),
          balance_display: Type.String(),
          validated: Type.Boolean(),
        }),
        transaction: TransactionAhead,
        order_details: Type.Object({
          product: Product,
          pricing: PricingShape,
          recipient: RecipientShape,
        }),
        next_step: Type.Literal('execute-order'),
        ready_for_payment: Type.Boolean(),
      }),
    },
    async handler({ caller, request, operation, body }) {
      const chain_id = chosen(body.selected_chain);
      const wish = { caller, request, operation, version: 'v2', chain_id } as const;
      const created = await createOrder(deps, { ...wish, body: bodyOf(body) });
      const { order } = created;
      const { product, recipient } = order;
      return {
        step: 'create-order-v2' as const,
        version: 'v2' as const,
        order_id: order.order_id,
        created_at: order.created_at,
        chain_info: chainOf(order),
        wallet: walletOf(created),
        transaction: transactionAhead(created),
        order_details: { product, pricing: pricingOf(order), recipient },
        next_step: 'execute-order' as const,
        ready_for_payment: created.canPayGas,
      };
    },
  });

function chosen(selected: string | null | undefined): ChainKey {
  if (selected && isChainKey(selected)) return selected;
  throw chainRequired();
}

const chainRequired = (): AppError =>
  fail('VALIDATION_ERROR', 'Chain selection required for V2 flow', {
    extra: { available_chains: [...CHAIN_KEYS] },
  });

function lackingOnChain(faults: readonly Fault[]): AppError {
  if (faults.every(({ field }) => field === 'selected_chain')) return chainRequired();
  const required = [...WANTED, 'selected_chain'];
  const error = lacking(MISSING, required)(faults);
  return fail(error.code, error.message, {
    details: error.details,
    extra: { ...error.extra, available_chains: [...CHAIN_KEYS] },
  });
}
