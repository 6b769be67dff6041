import { Type } from 'typebox';
import { findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { QUOTE_ERRORS } from '#features/fiat/fx/fx.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { doubtsOf } from '#kernel/effects/doubts.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, Paged, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  MomentInput,
  stamped,
  textInput,
} from '#kernel/http/declare/schema.ts';
import { MoneyInput } from '#kernel/money/amount-fields.ts';
import { objectId } from '#kernel/object-id.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { cancelWithdrawal } from './cancel.ts';
import type { PayingDeps } from './deps.ts';
import { withdrawalNames } from './events.ts';
import { requestWithdrawal } from './request.ts';
import { ShownWithdrawal, shownBankWithdrawal } from './shapes.ts';
import {
  type BankWithdrawal,
  pageOfWithdrawals,
  WITHDRAWAL_STATUSES,
  withdrawalInScope,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);

const One = stamped({ data: ShownWithdrawal });
const ofWallet = Type.Object({ wallet_id: IdInput });
const ofOne = Type.Object({ wallet_id: IdInput, withdrawal_id: objectIdInput('wdr') });

/** Money from wallets to banks. */
export const withdrawalRoutes = (deps: PayingDeps): Route[] => [
  requestRoute(deps),
  listRoute(deps),
  readRoute(deps),
  setMetadata(deps),
  cancelRoute(deps),
];

const requestRoute = (deps: PayingDeps): Route =>
  endpoint('POST /wallets/fiat/{wallet_id}/withdrawals', {
    name: 'withdrawals.create',
    creates: { kind: 'withdrawal', object: 'payout' },
    requiresKey: true,
    auth: 'user',
    errors: [
      ...(['WALLET_NOT_FOUND', 'RAIL_NOT_AVAILABLE', 'CURRENCY_MISMATCH'] as const),
      ...(['INSUFFICIENT_BALANCE', 'AMOUNT_BELOW_MINIMUM', 'WALLET_FROZEN'] as const),
      ...(['DEBT_OUTSTANDING', 'PROVIDER_NOT_CONFIGURED', 'SAME_WALLET'] as const),
      ...(['RECIPIENT_UNAVAILABLE', 'SECOND_PERSON_REQUIRED'] as const),
      ...QUOTE_ERRORS,
      ...POLICY_ERRORS,
    ],
    summary: 'Pays a bank account, or a wallet, out of a wallet, now or at a later time',
    params: ofWallet,
    body: Type.Object({
      amount: MoneyInput,
      recipient_id: objectIdInput('rcp'),
      note: Type.Optional(explained(textInput(140), 'For the payee')),
      execute_at: Type.Optional(explained(MomentInput, 'When it is paid; within 90 days')),
      quote_id: Type.Optional(
        explained(
          objectIdInput('qte'),
          'A quote that sells `amount` for the recipient’s currency: what it buys arrives',
        ),
      ),
    }),
    reply: { 201: One },
    fault: 'Failed to withdraw',
    async handler({ caller, params, body, request, operation }) {
      const { wallet_id } = params;
      const row = await requestWithdrawal(deps, { caller, request, operation, wallet_id, body });
      const [data] = await shown(deps, deps.db, caller, [row]);
      return at(201, { data: data ?? shownBankWithdrawal(row, deps.clock.now(), {}) });
    },
  });

const listRoute = (deps: PayingDeps): Route =>
  endpoint('GET /wallets/fiat/{wallet_id}/withdrawals', {
    name: 'withdrawals.list',
    auth: 'user',
    console: true,
    csv: 'data.items',
    errors: ['WALLET_NOT_FOUND', 'INVALID_PAGINATION'],
    summary: 'Lists the withdrawals of a wallet, newest first',
    params: ofWallet,
    query: Type.Object(moneyListQuery(WITHDRAWAL_STATUSES)),
    reply: { 200: stamped({ data: cursorPage(ShownWithdrawal) }) },
    fault: 'Failed to list withdrawals',
    async handler({ caller, params, query, db }) {
      const wallet = await findFiatWallet(db, tenantScopeOf(caller), params.wallet_id);
      if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
      const { wanted, page } = cursorReader({ ...query, wallet_id: params.wallet_id });
      const { rows, looked } = await pageOfWithdrawals(db, params.wallet_id, query, wanted);
      const items = await shown(deps, db, caller, rows);
      const both = rows.map((row, n) => ({ serial: Number(row.serial), item: items[n] }));
      const data = page(
        both,
        ({ serial }) => serial,
        ({ item }) => item as NonNullable<typeof item>,
        looked,
      );
      return new Paged({ data }, data.next_cursor);
    },
  });

const readRoute = (deps: PayingDeps): Route =>
  endpoint('GET /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}', {
    name: 'withdrawals.get',
    auth: 'user',
    console: true,
    errors: ['NOT_FOUND'],
    summary: 'Shows a withdrawal',
    params: ofOne,
    reply: { 200: One },
    fault: 'Failed to read the withdrawal',
    async handler({ caller, params, db }) {
      const row = await requireOne(db, caller, params);
      const [data] = await shown(deps, db, caller, [row]);
      return { data: data ?? shownBankWithdrawal(row, deps.clock.now(), {}) };
    },
  });

const setMetadata = (deps: PayingDeps): Route =>
  metadataRoute('PATCH /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}/metadata', {
    name: 'withdrawals.setMetadata',
    noun: 'a withdrawal',
    params: ofOne,
    shape: ShownWithdrawal,
    async find(db, caller, params) {
      const row = await requireOne(db, caller, params);
      const [data] = await shown(deps, db, caller, [row]);
      const { our_reference: id, client_id, user_id } = row;
      return {
        object: { type: 'payout', kind: 'withdrawal', id, client_id, user_id },
        data: data ?? shownBankWithdrawal(row, deps.clock.now(), {}),
      };
    },
  });

const cancelRoute = (deps: PayingDeps): Route =>
  endpoint('POST /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}/cancel', {
    name: 'withdrawals.cancel',
    movesMoney: true,
    auth: 'user',
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Cancels a withdrawal that the bank was not asked for yet',
    params: ofOne,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to cancel the withdrawal',
    async handler({ caller, params, request, db }) {
      const before = await requireOne(db, caller, params);
      const row = await cancelWithdrawal(deps, db, before, { caller, request });
      const [data] = await shown(deps, db, caller, [row]);
      return { data: data ?? shownBankWithdrawal(row, deps.clock.now(), {}) };
    },
  });

async function requireOne(
  db: Db,
  caller: UserCaller,
  { wallet_id, withdrawal_id }: { readonly wallet_id: number; readonly withdrawal_id: string },
): Promise<BankWithdrawal> {
  const key = { wallet_id, our_reference: objectId('wdr', withdrawal_id) };
  const row = await withdrawalInScope(db, tenantScopeOf(caller), key);
  if (!row) throw fail('NOT_FOUND', 'Withdrawal not found');
  return row;
}

/** With what callers call them, and what is in doubt: two statements for all. */
async function shown(
  { clock }: PayingDeps,
  db: Db,
  caller: UserCaller,
  rows: readonly BankWithdrawal[],
) {
  const names = await withdrawalNames(db, rows, namesReaderOf(caller));
  const paying = rows.filter(({ status }) => status === 'PROCESSING');
  const doubts = await doubtsOf(
    db,
    paying.map(({ our_reference }) => our_reference),
  );
  const now = clock.now();
  return rows.map((row) =>
    shownBankWithdrawal(row, now, {
      names: names.get(row.our_reference),
      doubt: doubts.get(row.our_reference),
    }),
  );
}
