import { Type } from 'typebox';
import {
  findReceiver,
  ownPayingWallet,
  SENDING_ERRORS,
  ToInput,
  TRANSFER_SIDES,
} from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
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
import { MoneyInput, moneyOf } from '#kernel/money/amount-fields.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { transact } from '#kernel/transact.ts';
import { acceptWithin, cancelWithin, declineWithin } from './answer.ts';
import { askWithin } from './ask.ts';
import type { PaymentRequestDeps } from './deps.ts';
import { ShownPaymentRequest, shownPaymentRequest } from './presenters.ts';
import {
  findPaymentRequest,
  listPaymentRequests,
  PAYMENT_REQUEST_STATUSES,
  requestOfOperation,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownPaymentRequest });
const params = Type.Object({ request_id: objectIdInput('req') });
/** Seven days, and from an hour to thirty days. */
const EXPIRES_S = { usual: 604_800, least: 3_600, most: 2_592_000 };

const askRoute = (deps: PaymentRequestDeps): Route =>
  endpoint('POST /wallets/fiat/requests', {
    name: 'paymentRequests.create',
    auth: 'user',
    movesMoney: true,
    creates: 'payment_request',
    errors: [
      ...(['WALLET_NOT_FOUND', 'USER_NOT_FOUND', 'CURRENCY_MISMATCH', 'SAME_WALLET'] as const),
      ...(['RECIPIENT_UNAVAILABLE', 'CONFLICT', '429 LIMIT_EXCEEDED', ...POLICY_ERRORS] as const),
    ],
    summary: 'Asks a person or the owner of an address for money',
    body: Type.Object({
      to: ToInput,
      wallet_id: explained(IdInput, 'A wallet of one’s own, where the money is to arrive'),
      amount: MoneyInput,
      note: Type.Optional(textInput(140)),
      expires_in_s: Type.Optional(
        explained(
          integerInput(EXPIRES_S.least, EXPIRES_S.most),
          'How long it may be accepted; seven days where it is left out',
        ),
      ),
    }),
    example: { to: { email: 'grace@example.com' }, amount: '12.50', note: 'Lunch' },
    reply: { 201: One },
    fault: 'Failed to ask for money',
    async handler({ caller, body, request, operation, db }) {
      const known = await requestOfOperation(db, operation);
      if (known) return at(201, { data: shownPaymentRequest(known) });
      const wallet = await ownPayingWallet(db, caller, body.wallet_id);
      const { units } = moneyOf({ amount: body.amount, currency: wallet.currency });
      const order = {
        caller,
        request,
        operation,
        wallet,
        to: await findReceiver(db, caller.client_id, body.to),
        units,
        note: body.note ?? null,
        expiresS: body.expires_in_s ?? EXPIRES_S.usual,
        market: await readPolicyMarket(deps.fx),
      };
      const asked = await transact(db, (tx) => askWithin(deps, tx, order));
      return at(201, { data: shownPaymentRequest(asked) });
    },
  });

const listRoute: Route = endpoint('GET /wallets/fiat/requests', {
  name: 'paymentRequests.list',
  csv: 'data.items',
  auth: 'user',
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists what one asks for and is asked for, newest first',
  query: Type.Object({
    side: Type.Optional(explained(oneOfWords(TRANSFER_SIDES), 'Only one’s own, or others’')),
    ...moneyListQuery(PAYMENT_REQUEST_STATUSES),
  }),
  reply: { 200: stamped({ data: cursorPage(ShownPaymentRequest) }) },
  fault: 'Failed to list requests',
  async handler({ caller: { user_id }, query, db }) {
    const { wanted, page } = cursorReader(query);
    const { rows, looked } = await listPaymentRequests(db, user_id, query, wanted);
    const data = page(
      rows,
      ({ serial }) => serial,
      (row) => shownPaymentRequest(row, user_id),
      looked,
    );
    return new Paged({ data }, data.next_cursor);
  },
});

const readRoute: Route = endpoint('GET /wallets/fiat/requests/{request_id}', {
  name: 'paymentRequests.get',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Shows a request for money to either side',
  params,
  reply: { 200: One },
  fault: 'Failed to read the request',
  async handler({ caller, params, db }) {
    const found = await findPaymentRequest(db, tenantScopeOf(caller), params.request_id);
    if (!found) throw fail('NOT_FOUND', 'Request not found');
    const isOther = caller.role === 'admin' && found.to_user_id !== caller.user_id;
    const reader = isOther ? found.user_id : caller.user_id;
    return { data: shownPaymentRequest(found, reader) };
  },
});

const setMetadata = metadataRoute('PATCH /wallets/fiat/requests/{request_id}/metadata', {
  name: 'paymentRequests.setMetadata',
  noun: 'a request for money of one’s own',
  params,
  shape: ShownPaymentRequest,
  async find(db, caller, { request_id }) {
    const found = await findPaymentRequest(db, tenantScopeOf(caller), request_id);
    if (!found) throw fail('NOT_FOUND', 'Request not found');
    const { object_id: id, client_id, user_id } = found;
    return {
      object: { type: 'payment_request', kind: 'payment_request', id, client_id, user_id },
      data: shownPaymentRequest(found, user_id),
    };
  },
});

const acceptRoute = (deps: PaymentRequestDeps): Route =>
  endpoint('POST /wallets/fiat/requests/{request_id}/accept', {
    name: 'paymentRequests.accept',
    auth: 'user',
    requiresKey: true,
    errors: ['409 INVALID_STATUS', ...SENDING_ERRORS.filter((code) => code !== 'USER_NOT_FOUND')],
    summary: 'Pays a request for money from a wallet of one’s own, once',
    params,
    body: Type.Object({
      from_wallet_id: explained(IdInput, 'A wallet of one’s own'),
      quote_id: Type.Optional(
        explained(
          objectIdInput('qte'),
          'A quote that buys exactly what is asked for, where the wallet has another currency',
        ),
      ),
    }),
    example: { from_wallet_id: 3 },
    reply: { 200: One },
    fault: 'Failed to accept the request',
    async handler({ caller, params, body, request, operation, db }) {
      const { request_id } = params;
      const accepted = {
        caller,
        request,
        operation,
        request_id,
        from: await ownPayingWallet(db, caller, body.from_wallet_id),
        quote_id: body.quote_id,
        market: await readPolicyMarket(deps.fx),
      };
      const paid = await transact(db, (tx) => acceptWithin(deps, tx, accepted));
      return { data: shownPaymentRequest(paid, caller.user_id) };
    },
  });

const declineRoute = (deps: PaymentRequestDeps): Route =>
  endpoint('POST /wallets/fiat/requests/{request_id}/decline', {
    name: 'paymentRequests.decline',
    auth: 'user',
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Says no to a request for money',
    params,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to decline the request',
    async handler({ caller: { user_id }, params: { request_id }, db }) {
      const declined = await declineWithin(deps, db, { user_id, request_id });
      return { data: shownPaymentRequest(declined, user_id) };
    },
  });

const cancelRoute = (deps: PaymentRequestDeps): Route =>
  endpoint('POST /wallets/fiat/requests/{request_id}/cancel', {
    name: 'paymentRequests.cancel',
    auth: 'user',
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Takes one’s own request for money back',
    params,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to cancel the request',
    async handler({ caller: { user_id }, params: { request_id }, db }) {
      const cancelled = await cancelWithin(deps, db, { user_id, request_id });
      return { data: shownPaymentRequest(cancelled, user_id) };
    },
  });

export const paymentRequestRoutes = (deps: PaymentRequestDeps): Route[] => [
  askRoute(deps),
  listRoute,
  readRoute,
  setMetadata,
  acceptRoute(deps),
  declineRoute(deps),
  cancelRoute(deps),
];
