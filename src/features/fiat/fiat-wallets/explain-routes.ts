import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  Id,
  IdInput,
  MomentInput,
  Nullable,
  stamped,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { type ExplainedBalance, explainAccount } from '#kernel/ledger/explain.ts';
import type { HoldOwner } from '#kernel/ledger/holds.ts';
import { format } from '#kernel/money/money.ts';
import { type FiatWallet, findFiatWallet } from './store.ts';

const endpoint = endpoints(codedEnvelope);

const Explanation = named('BalanceExplanation', {
  wallet_id: Id,
  currency: Type.String(),
  at: explained(Timestamp, 'The moment, its whole millisecond included'),
  posted: Type.String(),
  held: Type.String(),
  available: Type.String(),
  since: explained(Timestamp, 'The end of the month before, in UTC'),
  opening: explained(Type.String(), 'What was posted at `since`'),
  by_kind: Type.Array(
    named('BalanceKind', {
      kind: explained(Type.String(), 'As `type` of the statement'),
      count: Type.Integer(),
      amount: explained(
        Type.String(),
        'What came less what went; all kinds and the opening sum to `posted`',
      ),
    }),
  ),
  holds: Type.Array(
    named('BalanceHold', {
      amount: Type.String(),
      reference: explained(
        Type.String(),
        'Of the payment or order that the money is set aside for',
      ),
      kind: explained(
        Type.String(),
        'As `type` of the line of the statement that has set it aside',
      ),
      since: Timestamp,
      until: explained(
        Nullable(Timestamp),
        'When it is freed at the latest; null where only `freed_by` frees it',
      ),
      next_attempt_at: explained(
        Nullable(Timestamp),
        'When the service asks again, as of this request; null where it is freed by now',
      ),
      freed_by: explained(Type.String(), 'What frees it'),
    }),
  ),
  checks: explained(
    Type.Array(named('BalanceCheck', { rule: Type.String(), ok: Type.Boolean() })),
    'Rules that were checked for this answer',
  ),
  digest: explained(
    Type.String(),
    'SHA-256 of all the other fields but `next_attempt_at`: the same moment has the same one for good',
  ),
});

export interface ExplainDeps {
  /** Whose the money is that is set aside. */
  holds(): readonly HoldOwner[];
}

/** What a balance comes from, now or at any moment before. */
export const explainRoutes = ({ holds }: ExplainDeps): Route[] => [
  endpoint('GET /wallets/fiat/{wallet_id}/explain', {
    name: 'fiatWallets.explain',
    auth: 'user',
    console: true,
    errors: ['WALLET_NOT_FOUND'],
    summary: 'Explains a balance: what was posted by kind, and what is set aside for what',
    params: Type.Object({ wallet_id: IdInput }),
    query: Type.Object({
      at: Type.Optional(
        explained(MomentInput, 'A moment that is over; the present where it is left out'),
      ),
    }),
    reply: { 200: stamped({ data: Explanation }) },
    async handler({ caller, params, query, db }) {
      const wallet = await findFiatWallet(db, tenantScopeOf(caller), params.wallet_id);
      if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
      const balance = await explainAccount(db, holds(), wallet.account_id, query.at);
      if (!balance) throw wrongField('at', 'must be in the past');
      return { data: shownExplanation(wallet, balance) };
    },
  }),
];

function shownExplanation({ wallet_id, currency }: FiatWallet, balance: ExplainedBalance) {
  const amount = (units: bigint) => format({ asset: currency, units });
  const { at, since, checks } = balance;
  const lasting = {
    wallet_id,
    currency,
    at,
    posted: amount(balance.posted),
    held: amount(balance.held),
    available: amount(balance.available),
    since,
    opening: amount(balance.opening),
    by_kind: balance.kinds.map((one) => ({ ...one, amount: amount(one.amount) })),
    holds: balance.holds.map(({ next_attempt_at: _, ...one }) => ({
      ...one,
      amount: amount(one.amount),
    })),
    checks: [...checks],
  };
  return {
    ...lasting,
    holds: lasting.holds.map((one, n) => ({
      ...one,
      next_attempt_at: balance.holds[n]?.next_attempt_at ?? null,
    })),
    digest: hash('sha256', JSON.stringify(lasting), 'hex'),
  };
}
