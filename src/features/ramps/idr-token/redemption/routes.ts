import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { AmountInput, flat, IdInput, Timestamp, text } from '#kernel/http/declare/schema.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import type { CostDeps, IdrBase, Offramp } from '../deps.ts';
import { idrTokenEndpoint } from '../envelope.ts';
import { ByReference, idrTokenRupiahOf, requireRecord, Sums, sumsOf } from '../presenters.ts';
import { beginRedemption } from './start.ts';
import { findRedeem } from './store.ts';

/** What a redemption is refused for. */
const ERRORS = [
  'AMOUNT_BELOW_MINIMUM',
  'INVALID_AMOUNT',
  'INVALID_TX_HASH',
  '400 NOT_FOUND',
  'WALLET_ACCESS_DENIED',
  ...POLICY_ERRORS,
  'CONFLICT',
  'NOT_READY',
  'PROVIDER_UNAVAILABLE',
] as const;

/** Tokens in, rupiah out (contract part 3, IDR token). */
export const offrampRoutes = (
  deps: IdrBase & CostDeps & { readonly offramp: Machine<Offramp> },
): Route[] => [
  idrTokenEndpoint('POST /idrtoken/offramp/initiate', {
    name: 'idrTokens.redeem',
    creates: { kind: 'idr_redemption', object: 'payout' },
    movesMoney: true,
    auth: 'user',
    errors: ERRORS,
    summary: 'Pays tokens that were burnt on chain out to a bank account',
    description:
      'The wallet that burnt has to be the caller’s: managed here, or proven by `POST /wallet-proofs` or `POST /extauth/auth/link-wallet`. A proof may come after the burn. In mock mode a wallet outside need not be proven.',
    body: Type.Object({
      burnTxHash: text(100),
      amount: AmountInput,
      bankId: IdInput,
      walletAddress: text(100),
    }),
    reply: {
      200: flat({
        data: Type.Object({
          ...Sums,
          netAmount: Type.Number(),
          bankAccount: Type.Object({
            bankName: Type.String(),
            accountNumber: Type.String(),
            accountName: Type.String(),
          }),
        }),
        message: Type.String(),
      }),
    },
    fault: 'Failed to initiate offramp',
    async handler({ caller, body, request, operation }) {
      const row = await beginRedemption(deps, { caller, body, request, operation });
      return {
        data: {
          ...sumsOf(row),
          netAmount: idrTokenRupiahOf(row.net_amount_idr),
          bankAccount: {
            bankName: row.bank_name,
            accountNumber: row.bank_account_number,
            accountName: row.bank_account_name,
          },
        },
        message: 'Offramp initiated successfully',
      };
    },
  }),

  idrTokenEndpoint('GET /idrtoken/offramp/status/{reference_id}', {
    name: 'idrTokens.getRedemption',
    auth: 'user',
    errors: ['TRANSACTION_NOT_FOUND'],
    summary: 'How a redemption of tokens stands',
    params: ByReference,
    reply: {
      200: flat({
        data: Type.Object({
          ...Sums,
          netAmount: Type.Number(),
          bankTransferStatus: Type.String(),
          createdAt: Timestamp,
        }),
      }),
    },
    fault: 'Failed to read offramp status',
    async handler({ caller, params, db }) {
      const row = requireRecord(await findRedeem(db, params, tenantScopeOf(caller)));
      return {
        data: {
          ...sumsOf(row),
          netAmount: idrTokenRupiahOf(row.net_amount_idr),
          bankTransferStatus: row.bank_transfer_status,
          createdAt: row.created_at,
        },
      };
    },
  }),
];
