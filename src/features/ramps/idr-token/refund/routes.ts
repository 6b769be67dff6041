import { Type } from 'typebox';
import type { Route } from '#kernel/http/declare/route.ts';
import { flat, IdInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import type { PayingBase } from '../deps.ts';
import { idrTokenEndpoint } from '../envelope.ts';
import { idrTokenRupiahOf } from '../presenters.ts';
import { refundIdrToken } from './refund.ts';
import type { TakeBack } from './take-back.ts';

const MESSAGE = 'Refund processed successfully';

/** What an admin gives back (contract part 3, IDR token). */
export const refundRoutes = (deps: PayingBase & { readonly takeBack: TakeBack }): Route[] => [
  idrTokenEndpoint('POST /idrtoken/admin/refund', {
    name: 'idrTokens.refund',
    team: 'refunds:write',
    creates: { kind: 'idr_refund', object: 'refund' },
    movesMoney: true,
    auth: 'admin',
    proof: true,
    errors: [
      'TRANSACTION_NOT_FOUND',
      'INVALID_STATUS',
      '409 ALREADY_REFUNDED',
      'CONFLICT',
      'INSUFFICIENT_BALANCE',
      'NOT_READY',
    ],
    summary: 'Gives a transaction back to its user’s IDR wallet, once, less the refund’s fee',
    description:
      'Minted tokens are taken back first, from the wallet that got them, which has to be the user’s: managed here, or ' +
      'proven by `POST /wallet-proofs` or `POST /extauth/auth/link-wallet`. Else the answer is 409 CONFLICT. In mock mode ' +
      'a wallet outside need not be proven. Whatever the purchase was before, it is then `FAILED` with the payment status ' +
      '`REFUNDED`: the one way that leads out of `SUCCESS`. A redemption is refunded only once the gateway confirms on a new request that its transfer has failed: until then the answer is ' +
      'NOT_READY. Money that came too late, twice or as another sum is no ' +
      'transaction: `POST /idrtoken/payments/{payment_id}/refund` gives it back.',
    body: Type.Object({
      transactionType: oneOfWords(['MINT', 'REDEEM'] as const),
      transactionId: IdInput,
      reason: text(500),
    }),
    reply: {
      200: flat({
        data: Type.Object({
          refundTransactionId: Type.String(),
          netRefund: Type.Number(),
          refundFee: Type.Number(),
          message: Type.String(),
        }),
        message: Type.String(),
      }),
    },
    invalid: 'Missing required fields: transactionType, transactionId, reason',
    fault: 'Failed to process refund',
    async handler({ caller, body, request, operation }) {
      const row = await refundIdrToken(deps, { caller, body, request, operation });
      return {
        data: {
          refundTransactionId: row.reference_id,
          netRefund: idrTokenRupiahOf(row.net_refund),
          refundFee: idrTokenRupiahOf(row.refund_fee),
          message: 'The net amount was credited to the IDR wallet',
        },
        message: MESSAGE,
      };
    },
  }),
];
