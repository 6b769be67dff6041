import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  MomentInput,
  stamped,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { balanceAt } from '#kernel/ledger/explain.ts';
import { format } from '#kernel/money/money.ts';
import { findFiatWallet } from './store.ts';

const endpoint = endpoints(codedEnvelope);

const Balance = named('FiatWalletBalance', {
  posted: Type.String(),
  held: Type.String(),
  available: Type.String(),
  currency: Type.String(),
  as_of: explained(Timestamp, 'The moment, its whole millisecond included'),
  sequence: explained(
    Type.Integer(),
    'Of the last line of the statement by then; 0 where there is none',
  ),
});

/** The balance of a wallet, now or at any moment before: the same answer whenever it is asked for. */
export const fiatBalanceRoute: Route = endpoint('GET /wallets/fiat/{wallet_id}/balance', {
  name: 'fiatWallets.getBalance',
  auth: 'user',
  errors: ['WALLET_NOT_FOUND'],
  summary: 'Shows what is posted, held and available, now or at a moment before',
  params: Type.Object({ wallet_id: IdInput }),
  query: Type.Object({
    at: Type.Optional(
      explained(MomentInput, 'A moment that is over; the present where it is left out'),
    ),
  }),
  reply: { 200: stamped({ data: Balance }) },
  async handler({ caller, params, query, db }) {
    const wallet = await findFiatWallet(db, tenantScopeOf(caller), params.wallet_id);
    if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
    const balance = await balanceAt(db, wallet.account_id, query.at);
    if (!balance) throw wrongField('at', 'must be in the past');
    const amount = (units: bigint) => format({ asset: wallet.currency, units });
    const { posted, held, available, at, sequence } = balance;
    return {
      data: {
        posted: amount(posted),
        held: amount(held),
        available: amount(available),
        currency: wallet.currency,
        as_of: at,
        sequence,
      },
    };
  },
});
