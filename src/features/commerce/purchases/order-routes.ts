import { type Static, Type } from 'typebox';
import { CHAIN_KEYS, type ChainKey, isChainKey } from '#chains/evm/port.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Fault, type Route } from '#kernel/http/declare/route.ts';
import { Nullable, text } from '#kernel/http/declare/schema.ts';
import { chainOptions } from './chain-options.ts';
import { createPurchaseOrder, type PurchaseInput } from './create.ts';
import { EXECUTE_ERRORS, ORDER_ERRORS } from './declared.ts';
import type { NewOrderDeps } from './deps.ts';
import { executeOrder } from './execute.ts';
import {
  lacking,
  outsideOrders,
  PricingInput,
  ProductInput,
  purchaseProductOf,
  RecipientInput,
  recipientOf,
} from './order-input.ts';
import {
  ChainOption,
  ChainShape,
  chainOf,
  ExecutedPurchase,
  executed,
  OrderedOnChain,
  ordered,
  orderedOnChain,
  PlacedOrder,
  PurchaseProduct,
  RecipientShape,
} from './presenters.ts';

const endpoint = endpoints(errorEnvelope);

/** Orders and their payments (contract: AI purchase flow), without a language model. */
export const purchaseOrderRoutes = (deps: NewOrderDeps): Route[] => [
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
const ChainOrderBody = named('PurchaseOrderInput', {
  ...orderBody,
  selected_chain: Type.Optional(Nullable(text(32, 0))),
});

const bodyOf = (body: Static<typeof ChainOrderBody>): PurchaseInput['body'] => ({
  product: purchaseProductOf(body.product),
  pricing: body.pricing,
  recipient: recipientOf(body.recipient),
  wallet_address: body.wallet_address,
});

const createRoute = (deps: NewOrderDeps): Route =>
  endpoint('POST /mcp/create-order', {
    name: 'purchases.order',
    creates: 'purchase',
    movesMoney: true,
    auth: 'user',
    errors: ORDER_ERRORS,
    summary:
      'Writes down what is to be bought, for what and for whom; with `selected_chain` as the second version does',
    body: ChainOrderBody,
    bodyKind: 'list',
    invalid: (faults) =>
      faults.some(({ field }) => field === 'selected_chain')
        ? lackingOnChain(faults)
        : lacking(MISSING, WANTED)(faults),
    reply: { 200: Type.Union([PlacedOrder, OrderedOnChain]) },
    async handler({ caller, request, operation, body }) {
      const wish = { caller, request, operation, body: bodyOf(body) };
      if (body.selected_chain) return orderOnChain(deps, wish, body.selected_chain);
      const order = { ...wish, version: 'v1', chain_id: deps.home } as const;
      return ordered(await createPurchaseOrder(deps, order));
    },
  });

const ExecuteBody = named('PurchaseConfirmation', {
  order_id: text(64),
  confirmation: text(500, 0),
  wallet_address: text(100),
  selected_chain: Type.Optional(Nullable(text(32, 0))),
});
const executeInvalid = lacking(MISSING, ['order_id', 'confirmation', 'wallet_address']);

const executeRoute = (deps: NewOrderDeps): Route =>
  endpoint('POST /mcp/execute-order', {
    name: 'purchases.execute',
    movesMoney: true,
    auth: 'user',
    errors: EXECUTE_ERRORS,
    summary:
      'Pays a confirmed order on chain, sells the USDC, records the purchase, mails a receipt',
    body: ExecuteBody,
    invalid: executeInvalid,
    reply: { 200: Type.Object(ExecutedPurchase) },
    async handler({ caller, request, body }) {
      return executed(await executeOrder(deps, { caller, request, body }), 'execute-order');
    },
  });

const executeOnChainRoute = (deps: NewOrderDeps): Route =>
  endpoint('POST /mcp/v2/execute-order', {
    name: 'purchases.executeOnChain',
    movesMoney: true,
    auth: 'user',
    errors: EXECUTE_ERRORS,
    summary: 'The same, and tells on which chain it was paid',
    body: ExecuteBody,
    invalid: executeInvalid,
    reply: {
      200: Type.Object({ ...ExecutedPurchase, version: Type.String(), chain_info: ChainShape }),
    },
    async handler({ caller, request, body }) {
      const order = await executeOrder(deps, { caller, request, body });
      return { ...executed(order, 'execute-order-v2'), version: 'v2', chain_info: chainOf(order) };
    },
  });

const CREATE_V2 = '/mcp/v2/create-order';

const selectorRoute = (deps: NewOrderDeps): Route =>
  endpoint('POST /mcp/chain-selector', {
    name: 'purchases.listChains',
    auth: 'key',
    errors: ['PROVIDER_UNAVAILABLE'],
    summary: 'The chains that an order can be paid on, with contracts and what gas costs there now',
    body: Type.Object({
      product: outsideOrders('SeenPurchaseProduct', ProductInput),
      pricing: outsideOrders('SeenPurchasePricing', PricingInput),
      recipient: outsideOrders('SeenPurchaseRecipient', RecipientInput),
    }),
    bodyKind: 'list',
    invalid: lacking(MISSING, PARTS),
    reply: {
      200: Type.Object({
        step: Type.Literal('chain-selector'),
        version: Type.Literal('v2'),
        message: Type.String(),
        order_summary: Type.Object({
          product: PurchaseProduct,
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
          product: purchaseProductOf(product),
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

const createOnChainRoute = (deps: NewOrderDeps): Route =>
  endpoint('POST /mcp/v2/create-order', {
    name: 'purchases.orderOnChain',
    creates: 'purchase',
    movesMoney: true,
    auth: 'user',
    errors: ORDER_ERRORS,
    summary: 'Writes an order down for the chain that was chosen',
    body: ChainOrderBody,
    bodyKind: 'list',
    invalid: lackingOnChain,
    reply: { 200: OrderedOnChain },
    handler({ caller, request, operation, body }) {
      const wish = { caller, request, operation, body: bodyOf(body) };
      return orderOnChain(deps, wish, body.selected_chain);
    },
  });

/** The second version: on the caller's chain. */
async function orderOnChain(
  deps: NewOrderDeps,
  wish: Omit<PurchaseInput, 'version' | 'chain_id'>,
  selected: string | null | undefined,
) {
  const order = { ...wish, version: 'v2', chain_id: chosen(selected) } as const;
  return orderedOnChain(await createPurchaseOrder(deps, order));
}

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
