import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { AmountInput, flat, oneOfWords, Timestamp, text } from '#kernel/http/declare/schema.ts';
import { PAYMENT_METHODS } from '#providers/gateway/port.ts';
import type { CostDeps, IdrBase, Onramp } from '../deps.ts';
import { idrTokenEndpoint } from '../envelope.ts';
import {
  ByReference,
  idrTokenRupiahOf,
  PaymentNote,
  requireRecord,
  Sums,
  sumsOf,
} from '../presenters.ts';
import { beginPurchase } from './start.ts';
import { findMint } from './store.ts';

const FAULT = 'Failed to initiate onramp';

/** What a purchase is refused for. */
const ERRORS = [
  'INVALID_AMOUNT',
  'AMOUNT_BELOW_MINIMUM',
  'LIMIT_EXCEEDED',
  'PROVIDER_REJECTED',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_NOT_CONFIGURED',
] as const;

/** Rupiah in, tokens out (contract part 3, IDR token). */
export const onrampRoutes = (
  deps: IdrBase & CostDeps & { readonly onramp: Machine<Onramp> },
): Route[] => [
  idrTokenEndpoint('POST /idrtoken/onramp/initiate', {
    name: 'idrTokens.buy',
    creates: { kind: 'idr_purchase', object: 'payment' },
    movesMoney: true,
    example: { amount: '100000' },
    auth: 'user',
    errors: ERRORS,
    summary: 'Begins a purchase of tokens, and answers where to pay it',
    body: Type.Object({
      amount: AmountInput,
      paymentMethod: oneOfWords(PAYMENT_METHODS),
      walletAddress: text(100),
    }),
    reply: {
      200: flat({
        data: Type.Object({
          ...Sums,
          totalAmount: Type.Number(),
          paymentMethod: Type.String(),
          paymentUrl: Type.String(),
          expiresAt: Timestamp,
        }),
        message: Type.String(),
      }),
    },
    fault: FAULT,
    async handler({ caller, body, request, operation }) {
      const row = await beginPurchase(deps, { caller, body, request, operation });
      return {
        data: {
          // As it was begun, though it may be paid by now.
          ...sumsOf(row),
          status: 'PENDING',
          totalAmount: idrTokenRupiahOf(row.total_amount_idr),
          paymentMethod: row.payment_method,
          paymentUrl: row.payment_url,
          expiresAt: row.expired_at,
        },
        message: 'Onramp initiated successfully',
      };
    },
  }),

  idrTokenEndpoint('GET /idrtoken/onramp/status/{reference_id}', {
    name: 'idrTokens.getPurchase',
    auth: 'user',
    errors: ['TRANSACTION_NOT_FOUND'],
    summary: 'How a purchase of tokens stands',
    params: ByReference,
    reply: {
      200: flat({
        data: Type.Object({
          ...Sums,
          paymentStatus: Type.String(),
          paymentNote: PaymentNote,
          createdAt: Timestamp,
          expiresAt: Timestamp,
        }),
      }),
    },
    fault: 'Failed to read onramp status',
    async handler({ caller, params, db }) {
      const row = requireRecord(await findMint(db, params, tenantScopeOf(caller)));
      return {
        data: {
          ...sumsOf(row),
          paymentStatus: row.payment_status,
          paymentNote: row.payment_note,
          createdAt: row.created_at,
          expiresAt: row.expired_at,
        },
      };
    },
  }),
];
