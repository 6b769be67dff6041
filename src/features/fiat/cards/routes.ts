import { Type } from 'typebox';
import { FIAT } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  endpoints,
  type RequestFacts,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import { AmountInput, Id, oneOfWords, Timestamp, text } from '#kernel/http/declare/schema.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import type { CallbackDeps } from './callback.ts';
import { CardNumber, Cvv, Expiry, RecipientName } from './card-input.ts';
import { checkOut } from './checkout.ts';
import type { Declines } from './declines.ts';
import { cardEnvelope } from './envelope.ts';
import { inCurrency } from './events.ts';
import { excessRoutes } from './excess-routes.ts';
import { pushToCard } from './push.ts';
import { cardReadRoutes } from './read-routes.ts';
import { refund } from './refund.ts';
import { AddressVerification, CheckedOut } from './shapes.ts';
import { type CardTransaction, SETTLED_STATUS } from './store.ts';
import type { CardDeps } from './transaction.ts';
import { validateCard } from './validate.ts';

const endpoint = endpoints(cardEnvelope);

const validated = {
  wallet_id: Id,
  card_last4: Type.String(),
  validation_status: Type.Literal('APPROVED'),
  merchant_info: named('CardMerchant', {
    name: Type.String(),
    terminal_id: Type.String(),
    id_code: Type.String(),
  }),
};
const card = { card_number: CardNumber, expiry_date: Expiry };
const CardQuestion = Type.Object({ ...card, cvv: Cvv });
const charge = { ...card, cvv: Type.Optional(Cvv), amount: AmountInput };
const CHECKOUT_FAULT = 'Failed to process card checkout';

type Deps = CardDeps & CallbackDeps & { readonly declines: Declines };

/** The card endpoints of the contract (part 3). */
export const cardRoutes = (deps: Deps): Route[] => [
  ...validationRoutes(deps),
  ...checkoutRoutes(deps),
  refundRoute(deps),
  pushRoute(deps),
  ...cardReadRoutes(deps),
  ...excessRoutes(deps),
];

/** For all endpoints that ask an issuer about a card of the caller's choice. */
const watched = <T>({ declines }: Deps, { caller, request }: CardCall, work: () => Promise<T>) =>
  declines.watch({ ...caller, ip: request.ip }, work);

interface CardCall {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

const validationRoutes = (deps: Deps): Route[] => [
  endpoint('POST /card-checkout/card/validate', {
    name: 'cards.validate',
    auth: 'user',
    errors: ['WALLET_NOT_FOUND', 'CARD_DECLINED', 'PROVIDER_UNAVAILABLE'],
    summary: "Whether a card is good, for the caller's USD wallet",
    body: CardQuestion,
    reply: {
      200: Type.Object({
        message: Type.String(),
        data: Type.Object({ ...validated, address_verification: AddressVerification }),
      }),
    },
    fault: 'Failed to validate card',
    async handler({ caller, body, request }) {
      const question = { caller, currency: 'USD', body } as const;
      const data = await watched(deps, { caller, request }, () => validateCard(deps, question));
      return { message: 'Card validated successfully', data };
    },
  }),

  endpoint('POST /card-checkout/card/validatecc', {
    name: 'cards.validateForCurrency',
    auth: 'user',
    errors: ['WALLET_NOT_FOUND', 'CARD_DECLINED', 'PROVIDER_UNAVAILABLE'],
    summary: "Whether a card is good, for the caller's wallet of a currency",
    body: Type.Object({ ...CardQuestion.properties, currency: oneOfWords(FIAT) }),
    reply: {
      200: Type.Object({
        message: Type.String(),
        data: Type.Object({ ...validated, currency: Type.String() }),
      }),
    },
    fault: 'Failed to validate card',
    async handler({ caller, body, request }) {
      const { currency } = body;
      const question = { caller, currency, body };
      const { address_verification: _, ...data } = await watched(deps, { caller, request }, () =>
        validateCard(deps, question),
      );
      return { message: 'Card validated successfully', data: { ...data, currency } };
    },
  }),
];

const checkoutRoutes = (deps: Deps): Route[] => [
  endpoint('POST /card-checkout/card', {
    name: 'cards.topUp',
    movesMoney: true,
    creates: { kind: 'card_top_up', object: 'payment' },
    auth: 'user',
    errors: [
      'WALLET_NOT_FOUND',
      'INVALID_AMOUNT',
      'CARD_DECLINED',
      'PROVIDER_UNAVAILABLE',
      'PROVIDER_NOT_CONFIGURED',
    ],
    summary: "Tops up the caller's USD wallet from a card",
    body: Type.Object({ ...charge, currency_code: oneOfWords(['USD']) }),
    reply: { 200: CheckedOut },
    fault: CHECKOUT_FAULT,
    async handler({ caller, body, operation, request }) {
      const { currency_code: currency } = body;
      const checkout = { caller, operation, request, currency, body };
      return checkedOut(await watched(deps, { caller, request }, () => checkOut(deps, checkout)));
    },
  }),

  endpoint('POST /card-checkout/cardcc', {
    name: 'cards.topUpCurrency',
    movesMoney: true,
    creates: { kind: 'card_top_up', object: 'payment' },
    auth: 'user',
    errors: [
      'WALLET_NOT_FOUND',
      'INVALID_AMOUNT',
      'CARD_DECLINED',
      'PROVIDER_UNAVAILABLE',
      'PROVIDER_NOT_CONFIGURED',
    ],
    summary: "Tops up the caller's wallet of a currency from a card",
    body: Type.Object({ ...charge, currency_code: oneOfWords(FIAT) }),
    reply: { 200: CheckedOut },
    fault: CHECKOUT_FAULT,
    async handler({ caller, body, operation, request }) {
      const { currency_code: currency } = body;
      const checkout = { caller, operation, request, currency, body };
      return checkedOut(await watched(deps, { caller, request }, () => checkOut(deps, checkout)));
    },
  }),
];

const checkedOut = (row: CardTransaction) => ({
  message: 'Card checkout successful',
  data: {
    reference_id: row.reference_id,
    approval_code: row.approval_code ?? '',
    transaction_identifier: row.transaction_identifier ?? '',
    card_last4: row.card_last4,
    amount: inCurrency(row, row.amount),
    currency: row.currency,
    status: SETTLED_STATUS.TOPUP,
    wallet_id: row.wallet_id,
    platform_fee: inCurrency(row, row.platform_fee),
    net_amount: inCurrency(row, row.net_amount),
    steps: [
      { step: 1, description: 'Card checked' },
      { step: 2, description: 'Amount taken from the card' },
      { step: 3, description: 'Platform fee deducted' },
      { step: 4, description: `Net amount credited to the ${row.currency} wallet` },
    ],
  },
});

const refundRoute = (deps: Deps): Route =>
  endpoint('POST /card-checkout/card/refund', {
    name: 'cards.refund',
    team: 'refunds:write',
    movesMoney: true,
    creates: { kind: 'card_refund', object: 'refund' },
    auth: 'user',
    errors: [
      'WALLET_NOT_FOUND',
      'INVALID_AMOUNT',
      'CARD_DECLINED',
      'INSUFFICIENT_BALANCE',
      'WALLET_FROZEN',
      ...POLICY_ERRORS,
      'ALREADY_REFUNDED',
      'ALREADY_RETURNED',
      'ORIGINAL_NOT_FOUND',
      'PROVIDER_UNAVAILABLE',
      'PROVIDER_NOT_CONFIGURED',
    ],
    summary: 'Gives a checkout back to its card, in whole or in part, once',
    body: Type.Object({ ...charge, currency_code: oneOfWords(FIAT), reference_id: text(100) }),
    reply: {
      200: Type.Object({
        message: Type.String(),
        data: Type.Object({
          refund_id: Type.String(),
          original_reference: Type.String(),
          amount: Type.Number(),
          currency: Type.String(),
          status: Type.String(),
          refund_method: Type.Literal('REVERSE_FUNDS'),
          processed_at: Timestamp,
        }),
      }),
    },
    invalid: 'All refund fields are required.',
    fault: 'Failed to process refund',
    async handler({ caller, body, operation, request }) {
      const refundOrder = { caller, operation, request, body };
      const { refunded, original } = await watched(deps, refundOrder, () =>
        refund(deps, refundOrder),
      );
      return {
        message: 'Refund processed successfully',
        data: {
          refund_id: refunded.reference_id,
          original_reference: original.reference_id,
          amount: inCurrency(refunded, refunded.amount),
          currency: refunded.currency,
          status: SETTLED_STATUS.REFUND,
          refund_method: 'REVERSE_FUNDS' as const,
          processed_at: refunded.updated_at,
        },
      };
    },
  });

const pushRoute = (deps: Deps): Route =>
  endpoint('POST /card-checkout/card/manual_refund', {
    name: 'cards.push',
    team: 'refunds:write',
    movesMoney: true,
    creates: { kind: 'card_payout', object: 'payout' },
    auth: 'user',
    errors: [
      'WALLET_NOT_FOUND',
      'INVALID_AMOUNT',
      'CARD_DECLINED',
      'INSUFFICIENT_BALANCE',
      'WALLET_FROZEN',
      ...POLICY_ERRORS,
      'PROVIDER_UNAVAILABLE',
      'PROVIDER_NOT_CONFIGURED',
    ],
    summary: "Pays from the caller's wallet to a card",
    body: Type.Object({
      amount: AmountInput,
      currency_code: oneOfWords(FIAT),
      card_number: CardNumber,
      recipient_name: RecipientName,
    }),
    reply: {
      200: Type.Object({
        message: Type.String(),
        data: Type.Object({
          push_id: Type.String(),
          amount: Type.Number(),
          currency: Type.String(),
          card_last4: Type.String(),
          recipient_name: Type.String(),
          status: Type.String(),
          push_method: Type.Literal('MANUAL_FUNDS'),
          processed_at: Timestamp,
        }),
      }),
    },
    fault: 'Failed to process push',
    async handler({ caller, body, operation, request }) {
      const push = { caller, operation, request, body };
      const row = await watched(deps, { caller, request }, () => pushToCard(deps, push));
      return {
        message: 'Funds pushed to card successfully',
        data: {
          push_id: row.reference_id,
          amount: inCurrency(row, row.amount),
          currency: row.currency,
          card_last4: row.card_last4,
          recipient_name: row.recipient_name ?? '',
          status: SETTLED_STATUS.PUSH,
          push_method: 'MANUAL_FUNDS' as const,
          processed_at: row.updated_at,
        },
      };
    },
  });
