import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, Paged, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import { stamped } from '#kernel/http/declare/schema.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { NAMELESS, namesOf, namesReaderOf } from '#kernel/object-names/object-names.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { transact } from '#kernel/transact.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { readPolicyMarket } from './convert.ts';
import { type ConvertDeps, convertByQuote } from './currency-conversion.ts';
import {
  type NamedConversion,
  ShownConversion,
  shownConversion,
} from './currency-conversion-events.ts';
import {
  CURRENCY_CONVERSION_STATUSES,
  type CurrencyConversion,
  conversionOfRequest,
  findCurrencyConversion,
  listCurrencyConversions,
} from './currency-conversion-store.ts';
import { QUOTE_ERRORS } from './quote-use.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownConversion });

interface ConversionRouteDeps extends ConvertDeps {
  readonly fx: ExchangeRates;
}

/** Conversions between wallets of one user, by quotes. */
export const currencyConversionRoutes = (deps: ConversionRouteDeps): Route[] => [
  convertRoute(deps),
  listRoute,
  readRoute,
  setMetadata,
];

const convertRoute = (deps: ConversionRouteDeps): Route =>
  endpoint('POST /fx/conversions', {
    name: 'fx.convert',
    auth: 'user',
    requiresKey: true,
    creates: { kind: 'fx_conversion', object: 'payment', on: 'succeeded' },
    errors: [
      ...([...QUOTE_ERRORS, 'WALLET_NOT_FOUND', 'INSUFFICIENT_BALANCE', 'WALLET_FROZEN'] as const),
      '409 INVALID_STATUS',
      ...POLICY_ERRORS,
    ],
    summary: 'Converts money between two wallets of yours by a quote',
    body: Type.Object({ quote_id: objectIdInput('qte') }),
    reply: { 201: One },
    fault: 'Failed to convert',
    async handler({ caller, body: { quote_id }, request, operation, db }) {
      const known = await conversionOfRequest(db, operation);
      if (known) {
        const [named] = await withNames(db, caller, [known]);
        return at(201, { data: shownConversion(named ?? { ...known, names: NAMELESS }) });
      }
      const market = await readPolicyMarket(deps.fx);
      const order = { caller, request, operation, quote_id, market };
      const made = await transact(db, (tx) => convertByQuote(deps, tx, order));
      return at(201, { data: shownConversion(made) });
    },
  });

const listRoute: Route = endpoint('GET /fx/conversions', {
  name: 'fx.listConversions',
  csv: 'data.items',
  auth: 'user',
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists conversions, newest first',
  query: Type.Object(moneyListQuery(CURRENCY_CONVERSION_STATUSES)),
  reply: { 200: stamped({ data: cursorPage(ShownConversion) }) },
  fault: 'Failed to list conversions',
  async handler({ caller, query, db }) {
    const { wanted, page } = cursorReader(query);
    const scope = tenantScopeOf(caller);
    const { rows, looked } = await listCurrencyConversions(db, scope, query, wanted);
    const named = await withNames(db, caller, rows);
    const data = page(named, ({ serial }) => serial, shownConversion, looked);
    return new Paged({ data }, data.next_cursor);
  },
});

const readRoute: Route = endpoint('GET /fx/conversions/{conversion_id}', {
  name: 'fx.getConversion',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Shows a conversion',
  params: Type.Object({ conversion_id: objectIdInput('cnv') }),
  reply: { 200: One },
  fault: 'Failed to read the conversion',
  async handler({ caller, params, db }) {
    const row = await findCurrencyConversion(db, tenantScopeOf(caller), params.conversion_id);
    const [named] = row ? await withNames(db, caller, [row]) : [];
    if (!named) throw fail('NOT_FOUND', 'Conversion not found');
    return { data: shownConversion(named) };
  },
});

const setMetadata = metadataRoute('PATCH /fx/conversions/{conversion_id}/metadata', {
  name: 'fx.setMetadata',
  noun: 'a conversion',
  params: Type.Object({ conversion_id: objectIdInput('cnv') }),
  shape: ShownConversion,
  async find(db, caller, { conversion_id }) {
    const row = await findCurrencyConversion(db, tenantScopeOf(caller), conversion_id);
    const [named] = row ? await withNames(db, caller, [row]) : [];
    if (!named) throw fail('NOT_FOUND', 'Conversion not found');
    const { object_id: id, client_id, user_id } = named;
    return {
      object: { type: 'payment', kind: 'fx_conversion', id, client_id, user_id },
      data: shownConversion(named),
    };
  },
});

async function withNames(
  db: Db,
  caller: UserCaller,
  rows: readonly CurrencyConversion[],
): Promise<NamedConversion[]> {
  const ids = rows.map(({ object_id }) => object_id);
  const names = await namesOf(db, 'payment', ids, namesReaderOf(caller));
  return rows.map((row) => ({ ...row, names: names.get(row.object_id) ?? NAMELESS }));
}
