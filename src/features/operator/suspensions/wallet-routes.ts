import { Type } from 'typebox';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  Id,
  IdInput,
  Nullable,
  stamped,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { example, ReasonBody } from './order.ts';
import { orderFreeze, orderUnfreeze } from './wallets.ts';

const endpoint = endpoints(codedEnvelope);

const FrozenWallet = named('FrozenWallet', {
  wallet_id: Id,
  is_frozen: Type.Boolean(),
  reason: TextOrNull,
  frozen_by: Nullable(Id),
  frozen_at: Nullable(Timestamp),
});
const ofWallet = {
  auth: 'admin',
  proof: true,
  errors: ['WALLET_NOT_FOUND'],
  params: Type.Object({ wallet_id: IdInput }),
  body: ReasonBody,
  example,
  reply: { 200: stamped({ data: FrozenWallet }) },
  atomic: true,
} as const;

export const walletRoutes = (): Route[] => [
  endpoint('POST /wallets/fiat/{wallet_id}/freeze', {
    name: 'fiatWallets.freeze',
    team: 'freezes:write',
    summary: 'Freezes a wallet: money comes in, and none goes out but what was held before',
    ...ofWallet,
    handler: ({ caller, params, body: { reason }, request, db }) =>
      orderFreeze(db, params.wallet_id, { caller, reason, request }),
  }),

  endpoint('POST /wallets/fiat/{wallet_id}/unfreeze', {
    name: 'fiatWallets.unfreeze',
    team: 'freezes:write',
    summary: 'Releases a frozen wallet; only the operator releases wallets that it has frozen',
    ...ofWallet,
    handler: ({ caller, params, body: { reason }, request, db }) =>
      orderUnfreeze(db, params.wallet_id, { caller, reason, request }),
  }),
];
