import { Type } from 'typebox';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { filterQuery, PageEnd, pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { at, endpoints, Paged, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  explained,
  Id,
  IdInput,
  oneOfWords,
  stamped,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { balancesOf } from '#kernel/ledger/accounts.ts';
import { type StatementPage, type StatementRow, statementOf } from '#kernel/ledger/statement.ts';
import { format } from '#kernel/money/money.ts';
import { FIAT, type Fiat } from './currencies.ts';
import { ShownFiatWallet, shownFiat } from './presenters.ts';
import { LINE_STATUS, lineStatus, txTypeOf } from './statement-line.ts';
import { type FiatWallet, fiatWalletsOf, findFiatWallet } from './store.ts';
import { openWallet } from './wallets.ts';

const endpoint = endpoints(codedEnvelope);

const Entry = named('StatementLine', {
  seq: Type.Integer(),
  reference: Type.String(),
  type: Type.String(),
  tx_type: explained(
    Type.String(),
    'TOPUP, REFUND or PUSH for money between a wallet and a card or bank, else the type in capitals',
  ),
  status: explained(
    oneOfWords(LINE_STATUS),
    'Money has come or gone, was set aside, or is free again',
  ),
  amount: Type.String(),
  held: Type.String(),
  balance_after: Type.String(),
  created_at: Timestamp,
  description: explained(TextOrNull, 'A text where the type says too little: of corrections'),
});

/** Fiat wallets (decisions: Where the contract names a thing but not its address). */
export const fiatWalletRoutes = ({ balances }: Pick<Kernel, 'balances'>): Route[] => [
  endpoint('POST /wallets/fiat', {
    name: 'fiatWallets.open',
    creates: { kind: 'fiat_wallet', object: 'wallet' },
    auth: 'user',
    errors: ['USER_NOT_FOUND'],
    summary: 'Opens a wallet in a currency, or answers the existing one',
    body: Type.Object({ currency: oneOfWords(FIAT), user_id: Type.Optional(IdInput) }),
    reply: { 200: stamped({ data: ShownFiatWallet }), 201: stamped({ data: ShownFiatWallet }) },
    atomic: true,
    async handler({ caller, body, db }) {
      const user_id = await reachable(db, caller, body.user_id ?? caller.user_id);
      const { wallet, created } = await openWallet(db, user_id, body.currency);
      const [row] = await withBalances(db, [wallet]);
      if (!row) throw new Error('A wallet without a balance');
      return created ? at(201, { data: row }) : { data: row };
    },
  }),

  endpoint('GET /wallets/fiat/{user_id}', {
    name: 'fiatWallets.list',
    auth: 'user',
    console: true,
    errors: ['USER_NOT_FOUND'],
    summary: "A user's fiat wallets with their balances",
    params: Type.Object({ user_id: IdInput }),
    reply: { 200: stamped({ data: Type.Object({ wallets: Type.Array(ShownFiatWallet) }) }) },
    async handler({ caller, params, db }) {
      const user_id = await reachable(db, caller, params.user_id);
      const wallets = await fiatWalletsOf(db, user_id);
      // Balances that are read in the same moment share one statement.
      const rows = await Promise.all(
        wallets.map(async (wallet) => {
          return shownFiat(wallet, await balances(wallet.account_id));
        }),
      );
      return { data: { wallets: rows } };
    },
  }),

  endpoint('GET /wallets/fiat/{wallet_id}/transactions', {
    name: 'fiatWallets.listTransactions',
    csv: 'data.transactions',
    auth: 'user',
    console: true,
    history: true,
    errors: ['WALLET_NOT_FOUND'],
    summary: "A wallet's statement, newest first; the next page is before `next_before`",
    params: Type.Object({ wallet_id: IdInput }),
    query: Type.Object({ ...pageQuery(100), ...filterQuery('the reference of an entry') }),
    reply: {
      200: stamped({
        data: Type.Object({
          wallet_id: Id,
          currency: Type.String(),
          transactions: Type.Array(Entry),
          pagination: PageEnd,
        }),
      }),
    },
    async handler({ caller, params, query, db }) {
      const wallet = await findFiatWallet(db, tenantScopeOf(caller), params.wallet_id);
      if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
      const data = await statement(db, wallet, { ...query, limit: query.limit ?? 50 });
      return new Paged({ data }, data.pagination.next_before);
    },
  }),
];

/** The user's id, or 404 when that id is not in the caller's scope. */
async function reachable(db: Db, caller: UserCaller, user_id: number): Promise<number> {
  if (user_id === caller.user_id) return user_id;
  await requireUser(db, tenantScopeOf(caller), user_id);
  return user_id;
}

async function withBalances(db: Db, wallets: readonly FiatWallet[]) {
  const found = await balancesOf(
    db,
    wallets.map(({ account_id }) => account_id),
  );
  return wallets.map((wallet) => shownFiat(wallet, found.get(wallet.account_id)));
}

async function statement(db: Db, wallet: FiatWallet, page: StatementPage) {
  const { wallet_id, currency, account_id } = wallet;
  const { limit } = page;
  const found = await statementOf(db, account_id, { ...page, limit: limit + 1 });
  const { rows, ...more } = pageOf(found, limit, ({ seq }) => seq);
  return {
    wallet_id,
    currency,
    transactions: rows.map((row) => ({
      seq: row.seq,
      reference: row.key,
      type: row.kind,
      tx_type: txTypeOf(row.kind),
      status: lineStatus(row.kind, row),
      amount: amount(currency, row.amount),
      held: amount(currency, row.held_delta),
      balance_after: amount(currency, row.posted_after),
      created_at: row.created_at,
      description: described(row),
    })),
    pagination: { limit, ...more },
  };
}

const described = ({ meta }: StatementRow): string | null =>
  typeof meta?.['description'] === 'string' ? meta['description'] : null;

const amount = (currency: Fiat, units: bigint): string => format({ asset: currency, units });
