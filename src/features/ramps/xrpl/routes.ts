import { type Static, Type } from 'typebox';
import { TAG_MAX } from '#chains/xrpl/port.ts';
import { FIAT } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { DestinationBank } from '#features/ramps/ramp/ramp.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { filterQuery, LIST_MAX, listQuery, pageOf } from '#kernel/http/declare/page.ts';
import {
  endpoints,
  type OperationName,
  Paged,
  type Route,
  type RouteId,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import {
  AmountInput,
  explained,
  IdInput,
  integerInput,
  oneOfWords,
  text,
} from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { XrplDeps } from './deps.ts';
import type { XrplOnramp } from './onramp.ts';
import {
  Fx,
  shownFx,
  shownPayout,
  shownTx,
  shownWithHash,
  XrplPayout,
  XrplTx,
  xrplAnswerOf,
} from './presenters.ts';
import type { XrplOfframp } from './redemption.ts';
import { type Flows, runXrplOrder } from './run.ts';
import { startOfframp } from './start-offramp.ts';
import { startOnramp } from './start-onramp.ts';
import { findRecord, recordsOf, type TxType, XRPL_STATUSES, type XrplRecord } from './store.ts';

const endpoint = endpoints(errorEnvelope);

type Deps = XrplDeps & Flows;
const CURRENCY = 'USDC';
const ISSUERLESS = 'Issuer not found for given currency_code';

/** USDC on the XRP Ledger (contract: XRPL). */
export const xrplRoutes = (deps: Deps): Route[] => [
  onrampRoute(deps),
  offrampRoute(deps),
  statusRoute(deps, 'GET /xrpl/onramp/status/{txid}', 'xrpl.getPurchase'),
  statusRoute(deps, 'GET /xrpl/offramp/status/{txid}', 'xrpl.getSale'),
  historyRoute(),
];

const currency = Type.Optional(text(40));

function currencyOf({ currency_code = CURRENCY }: { readonly currency_code?: string }): string {
  if (currency_code !== CURRENCY) throw fail('TOKEN_NOT_SUPPORTED', ISSUERLESS);
  return currency_code;
}

const onrampRoute = (deps: Deps): Route =>
  endpoint('POST /xrpl/onramp/init', {
    name: 'xrpl.buy',
    creates: { kind: 'xrpl_purchase', object: 'xrpl_transaction' },
    movesMoney: true,
    auth: 'user',
    errors: [
      'AMOUNT_BELOW_MINIMUM',
      'INSUFFICIENT_BALANCE',
      'WALLET_FROZEN',
      'WALLET_NOT_FOUND',
      'TOKEN_NOT_SUPPORTED',
      'LIMIT_EXCEEDED',
      'PROVIDER_REJECTED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary:
      'Buys USDC on the XRP Ledger for money of a wallet; the platform holds it for the user',
    body: Type.Object({
      currency_code: currency,
      amount: Type.Optional(AmountInput),
      fiat_currency: Type.Optional(oneOfWords(FIAT)),
      fiat_amount: Type.Optional(AmountInput),
    }),
    example: { fiat_currency: 'USD', fiat_amount: '10.00' },
    reply: { 200: xrplAnswerOf({ xrpl_tx: XrplTx, fx: Fx }) },
    async handler({ caller, body, request, operation }) {
      const id = `xrpl-onramp-${operation}`;
      const input = { ...body, currency_code: currencyOf(body) };
      await startOnramp({ ...deps, machine: deps.onramp }, { caller, request, id }, input);
      const { record, data } = await runXrplOrder<XrplOnramp>(deps, id);
      return {
        message: messageOf('Onramp', record),
        data: { xrpl_tx: await shownWithHash(deps.xrpl, record), fx: shownFx(data.conversion) },
      };
    },
  });

const Bank = Type.Union([text(300), DestinationBank]);

const OfframpBody = Type.Object({
  currency_code: currency,
  amount: Type.Optional(explained(AmountInput, 'In USDC: another name of usdc_amount')),
  usdc_amount: Type.Optional(AmountInput),
  destination_address: Type.Optional(
    explained(
      text(100),
      'A classic address, or an X-address of a test network. In mock mode an address that does not exist ' +
        'is opened with a trust line; otherwise it needs both',
    ),
  ),
  destination_tag: Type.Optional(
    explained(
      integerInput(0, TAG_MAX),
      `0 to ${TAG_MAX}: whose it is at an address of many people, such as an exchange's. It may stand in an ` +
        'X-address instead; where it stands in both it has to be the same',
    ),
  ),
  target_fiat: Type.Optional(
    explained(
      oneOfWords(FIAT),
      'A BANK payout is in IDR by the gateway, and in the other currencies by a bank of their country',
    ),
  ),
  payout_type: Type.Optional(oneOfWords(['PLATFORM_WALLET', 'BANK'] as const)),
  destination_bank: Type.Optional(Bank),
  receiver_user_id: Type.Optional(IdInput),
  receiver_currency: Type.Optional(
    explained(oneOfWords(FIAT), 'What a wallet is credited in; target_fiat where it is absent'),
  ),
  wallet_id: Type.Optional(IdInput),
});
type OfframpBody = Static<typeof OfframpBody>;

const offrampRoute = (deps: Deps): Route =>
  endpoint('POST /xrpl/offramp/init', {
    name: 'xrpl.sell',
    creates: { kind: 'xrpl_sale', object: 'xrpl_transaction' },
    movesMoney: true,
    auth: 'user',
    errors: [
      'USER_NOT_FOUND',
      'DESTINATION_TAG_REQUIRED',
      'PAYOUT_CURRENCY_UNAVAILABLE',
      'AMOUNT_BELOW_MINIMUM',
      'INSUFFICIENT_BALANCE',
      'WALLET_NOT_FOUND',
      'TOKEN_NOT_SUPPORTED',
      'LIMIT_EXCEEDED',
      'PROVIDER_REJECTED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: 'Sends USDC to an address of the XRP Ledger, or sells it to a wallet or bank account',
    body: OfframpBody,
    example: { usdc_amount: '5.00', target_fiat: 'USD', payout_type: 'PLATFORM_WALLET' },
    reply: { 200: xrplAnswerOf({ xrpl_tx: XrplTx, payout: XrplPayout }) },
    async handler({ caller, body, request, operation }) {
      const id = `xrpl-offramp-${operation}`;
      const input = { ...(body as OfframpBody), currency_code: currencyOf(body) };
      await startOfframp({ ...deps, machine: deps.offramp }, { caller, request, id }, input);
      const { record, data } = await runXrplOrder<XrplOfframp>(deps, id);
      return {
        message: messageOf('Offramp', record),
        data: {
          xrpl_tx: await shownWithHash(deps.xrpl, record),
          payout: shownPayout(data, body),
        },
      };
    },
  });

const messageOf = (what: string, { status }: XrplRecord): string =>
  status === 'PENDING' ? `${what} initiated` : `${what} completed`;

const STATUS_TYPES = {
  'xrpl.getPurchase': ['ONRAMP'],
  'xrpl.getSale': ['OFFRAMP', 'OFFRAMP_FIAT'],
} as const satisfies Record<OperationName, readonly TxType[]>;

const statusRoute = (deps: Deps, id: RouteId, name: keyof typeof STATUS_TYPES): Route =>
  endpoint(id, {
    name,
    auth: 'user',
    errors: ['TRANSACTION_NOT_FOUND'],
    summary: 'How an operation stands, by the hash of its transaction or its id',
    params: Type.Object({ txid: Type.String({ maxLength: 100 }) }),
    reply: { 200: Type.Object({ txid: Type.String(), status: Type.String() }) },
    async handler({ caller, params: { txid } }) {
      const found = await findByTxid(deps, caller, txid, STATUS_TYPES[name]);
      const { record } = found.status === 'PENDING' ? await poll(deps, found) : { record: found };
      return { txid, status: STATUS[record.status] ?? record.status };
    },
  });

/** The statuses of a look-up (contract: Other status sets). */
const STATUS: Readonly<Record<string, string>> = {
  tesSUCCESS: 'validated',
  SUCCESS_RECEIVED: 'validated',
};

async function findByTxid(
  { db, xrpl }: Deps,
  caller: UserCaller,
  given: string,
  types: readonly TxType[],
): Promise<XrplRecord> {
  const txid = given.trim();
  if (txid === '') throw wrongField('txid', 'is required');
  const reach = tenantScopeOf(caller);
  const isId = /^[1-9]\d{0,9}$/.test(txid) && Number(txid) <= ID_MAX;
  const hash = txid.toUpperCase();
  const found =
    (await findRecord(db, reach, isId ? ['id', Number(txid)] : ['tx_hash', hash], types)) ??
    (await findSigned(hash));
  if (!found) throw fail('TRANSACTION_NOT_FOUND', 'Transaction not found');
  return found;

  /** While no ledger has it, only the journal knows the hash. */
  async function findSigned(wanted: string): Promise<XrplRecord | undefined> {
    const reference = await xrpl.referenceOf(wanted);
    if (reference === undefined) return undefined;
    return findRecord(db, reach, ['operation', reference.replace(/:\w+$/, '')], types);
  }
}

const POLL_MS = 2000;

/** A request for the status also moves the flow on, as far as it waits for nothing. */
async function poll(deps: Deps, { operation }: XrplRecord) {
  return runXrplOrder(deps, operation, { patienceMs: POLL_MS, isQuiet: true });
}

const historyRoute = (): Route =>
  endpoint('GET /xrpl/history', {
    name: 'xrpl.listHistory',
    csv: 'history',
    auth: 'user',
    history: true,
    summary: 'The caller’s operations on the XRP Ledger, newest first',
    query: Type.Object({
      ...listQuery,
      ...filterQuery('the hash of a transaction'),
      status: Type.Optional(oneOfWords(XRPL_STATUSES)),
    }),
    reply: {
      200: Type.Object({
        message: Type.String(),
        count: Type.Integer(),
        history: Type.Array(XrplTx),
      }),
    },
    async handler({ caller, query, db }) {
      const { limit = LIST_MAX } = query;
      const found = await recordsOf(db, caller.user_id, { ...query, limit: limit + 1 });
      const { rows, next_before } = pageOf(found, limit, ({ id }) => id);
      const history = rows.map(shownTx);
      const body = { message: 'History retrieved', count: history.length, history };
      return new Paged(body, next_before);
    },
  });
