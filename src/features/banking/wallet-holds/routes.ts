import { Type } from 'typebox';
import {
  findReceiver,
  ownPayingWallet,
  SENDING_ERRORS,
  TRANSFER_SIDES,
} from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  integerInput,
  oneOfWords,
  stamped,
  textInput,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { MoneyInput, moneyOf } from '#kernel/money/amount-fields.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { transact } from '#kernel/transact.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { captureHold, voidHold } from './acts.ts';
import { placeHold } from './place.ts';
import { ShownWalletHold, shownWalletHold } from './presenters.ts';
import { findWalletHold, holdOfOperation, listWalletHolds, WALLET_HOLD_STATUSES } from './store.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownWalletHold });
const params = Type.Object({ hold_id: objectIdInput('hld') });
/** Seven days, and from a minute to thirty days. */
const EXPIRES_S = { usual: 604_800, least: 60, most: 2_592_000 };

export interface WalletHoldDeps extends Pick<Kernel, 'clock' | 'db' | 'policies'> {
  readonly fx: ExchangeRates;
}

const placeRoute = (deps: WalletHoldDeps): Route =>
  endpoint('POST /wallets/fiat/{wallet_id}/holds', {
    name: 'walletHolds.place',
    auth: 'user',
    requiresKey: true,
    creates: 'wallet_hold',
    errors: SENDING_ERRORS.filter((code) => code !== '429 LIMIT_EXCEEDED'),
    summary: 'Sets money of one’s own aside for somebody, who takes it in parts',
    params: Type.Object({ wallet_id: explained(IdInput, 'A wallet of one’s own') }),
    body: Type.Object({
      to: named('HoldTo', { wallet_id: explained(IdInput, 'Of a person of the same client') }),
      amount: MoneyInput,
      expires_in_s: Type.Optional(
        explained(
          integerInput(EXPIRES_S.least, EXPIRES_S.most),
          'How long it may be taken; seven days where it is left out',
        ),
      ),
      note: Type.Optional(textInput(140)),
    }),
    example: { to: { wallet_id: 4 }, amount: '80.00', note: 'Rental deposit' },
    reply: { 201: One },
    fault: 'Failed to set money aside',
    async handler({ caller, params, body, request, operation, db }) {
      const known = await holdOfOperation(db, operation);
      if (known) return at(201, { data: shownWalletHold(known) });
      const from = await ownPayingWallet(db, caller, params.wallet_id);
      const { units } = moneyOf({ amount: body.amount, currency: from.currency });
      const order = {
        caller,
        request,
        operation,
        from,
        to: await findReceiver(db, caller.client_id, body.to),
        units,
        expiresS: body.expires_in_s ?? EXPIRES_S.usual,
        note: body.note ?? null,
        market: await readPolicyMarket(deps.fx),
      };
      const placed = await transact(db, (tx) => placeHold(deps, tx, order));
      return at(201, { data: shownWalletHold(placed) });
    },
  });

const listRoute: Route = endpoint('GET /wallets/fiat/holds', {
  name: 'walletHolds.list',
  csv: 'data.items',
  auth: 'user',
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists what one has set aside for others, and others for oneself, newest first',
  query: Type.Object({
    side: Type.Optional(explained(oneOfWords(TRANSFER_SIDES), 'Only what was sent, or received')),
    ...moneyListQuery(WALLET_HOLD_STATUSES),
  }),
  reply: { 200: stamped({ data: cursorPage(ShownWalletHold) }) },
  fault: 'Failed to list holds',
  async handler({ caller: { user_id }, query, db }) {
    const { wanted, page } = cursorReader(query);
    const { rows, looked } = await listWalletHolds(db, user_id, query, wanted);
    const data = page(
      rows,
      ({ serial }) => serial,
      (row) => shownWalletHold(row, user_id),
      looked,
    );
    return new Paged({ data }, data.next_cursor);
  },
});

const readRoute: Route = endpoint('GET /wallets/fiat/holds/{hold_id}', {
  name: 'walletHolds.get',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Shows a hold to either side',
  params,
  reply: { 200: One },
  fault: 'Failed to read the hold',
  async handler({ caller, params, db }) {
    const hold = await findWalletHold(db, tenantScopeOf(caller), params.hold_id);
    if (!hold) throw fail('NOT_FOUND', 'Hold not found');
    return { data: shownWalletHold(hold, caller.user_id) };
  },
});

const setMetadata = metadataRoute('PATCH /wallets/fiat/holds/{hold_id}/metadata', {
  name: 'walletHolds.setMetadata',
  noun: 'money that one has set aside',
  params,
  shape: ShownWalletHold,
  async find(db, caller, { hold_id }) {
    const found = await findWalletHold(db, tenantScopeOf(caller), hold_id);
    if (!found) throw fail('NOT_FOUND', 'Hold not found');
    const { object_id: id, client_id, user_id } = found;
    return {
      object: { type: 'wallet_hold', kind: 'wallet_hold', id, client_id, user_id },
      data: shownWalletHold(found, user_id),
    };
  },
});

const captureRoute = (deps: WalletHoldDeps): Route =>
  endpoint('POST /wallets/fiat/holds/{hold_id}/capture', {
    name: 'walletHolds.capture',
    auth: 'user',
    requiresKey: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', '409 INVALID_STATUS', 'INVALID_AMOUNT'],
    summary: 'Takes money that was set aside for oneself, all or a part',
    params,
    body: Type.Object({
      amount: Type.Optional(explained(MoneyInput, 'All that is left where it is left out')),
      final: Type.Optional(
        explained(Type.Boolean(), 'Whether nothing more is taken, and the rest goes back'),
      ),
    }),
    example: { amount: '30.00' },
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to take the money',
    async handler({ caller, params, body, request, db }) {
      const { hold_id } = params;
      const hold = await captureHold(deps, db, { caller, request, hold_id }, body);
      return { data: shownWalletHold(hold, caller.user_id) };
    },
  });

const voidRoute = (deps: WalletHoldDeps): Route =>
  endpoint('POST /wallets/fiat/holds/{hold_id}/void', {
    name: 'walletHolds.void',
    auth: 'user',
    requiresKey: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', '409 INVALID_STATUS'],
    summary: 'Gives up what is left of money that was set aside for oneself',
    params,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to give up the hold',
    async handler({ caller, params, request, db }) {
      const hold = await voidHold(deps, db, { caller, request, hold_id: params.hold_id });
      return { data: shownWalletHold(hold, caller.user_id) };
    },
  });

/** Money that is set aside for somebody. */
export const walletHoldRoutes = (deps: WalletHoldDeps): Route[] => [
  placeRoute(deps),
  listRoute,
  readRoute,
  setMetadata,
  captureRoute(deps),
  voidRoute(deps),
];
