import { type Static, Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requiredVersion, requireVersion } from '#kernel/http/declare/if-match.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import { explained, integerInput, Nullable, stamped } from '#kernel/http/declare/schema.ts';
import { QuotableField, QuotePeriodField } from './quote-shape.ts';
import { QUOTE_PERIODS } from './quote-store.ts';
import {
  lockSpreadVersion,
  readSpreads,
  replaceSpreads,
  type SpreadRow,
  spreadVersion,
} from './spread-store.ts';

const endpoint = endpoints(codedEnvelope);

const Pair = explained(
  Nullable(QuotableField),
  'Null in both: every pair without a row of its own',
);
const Row = named('FxSpread', {
  from: Pair,
  to: Pair,
  valid_for: QuotePeriodField,
  bps: explained(Type.Integer(), 'Hundredths of a percent'),
});
const Spreads = named('FxSpreads', {
  rows: explained(Type.Array(Row), 'Of one’s own client; of the operator those of all clients'),
  floor: explained(Type.Array(Row), 'The operator’s, of which and one’s own the higher one counts'),
  version: Type.Integer(),
});
const One = stamped({ data: Spreads });

/** Seven currencies in pairs, and the general row, for each of four times. */
const ROWS_MAX = (7 * 6 + 1) * 4;
const BPS_MAX = 1000;
const VERSION_MAX = 2 ** 31 - 1;

const RowInput = named('FxSpreadInput', {
  from: Type.Optional(Nullable(QuotableField)),
  to: Type.Optional(Nullable(QuotableField)),
  valid_for: QuotePeriodField,
  bps: integerInput(0, BPS_MAX),
});

/** What is taken off the middle of the market. */
export const spreadRoutes = (): Route[] => [readRoute, replaceRoute];

const readRoute: Route = endpoint('GET /fx/spreads', {
  name: 'fx.listSpreads',
  auth: 'admin',
  summary: 'Lists the spreads of the own client, and the operator’s',
  reply: { 200: One },
  fault: 'Failed to list spreads',
  async handler({ caller, db }) {
    const owner = ownerOf(caller);
    const [rows, floor, version] = await Promise.all([
      readSpreads(db, owner),
      readSpreads(db, null),
      spreadVersion(db, owner),
    ]);
    return { data: { rows: rows.map(shown), floor: floor.map(shown), version } };
  },
});

const replaceRoute: Route = endpoint('PUT /fx/spreads', {
  name: 'fx.setSpreads',
  team: 'settings:write',
  auth: 'admin',
  proof: true,
  movesMoney: true,
  errors: ['VERSION_CONFLICT', 'FEE_BELOW_FLOOR'],
  summary: 'Replaces the spreads of the own client, or the operator’s for all',
  body: Type.Object({
    rows: Type.Array(RowInput, { maxItems: ROWS_MAX }),
    version: Type.Optional(integerInput(1, VERSION_MAX)),
  }),
  example: { rows: [{ from: 'USD', to: 'IDR', valid_for: '30s', bps: 80 }], version: 1 },
  reply: { 200: One },
  atomic: true,
  fault: 'Failed to set the spreads',
  async handler({ caller, body, request, db }) {
    const meant = requiredVersion(body, request.headers);
    const owner = ownerOf(caller);
    const rows = body.rows.map(rowOf);
    const floor = await readSpreads(db, null);
    if (owner === null) requireGeneral(rows);
    else requireFloor(rows, floor);
    requireVersion(await lockSpreadVersion(db, owner), meant);
    const version = await replaceSpreads(db, { owner, rows, edited_by: caller.user_id });
    await logActivity(db, {
      action: 'FX_SPREADS_SET',
      actor: caller,
      details: { rows: rows.map(shown), version },
      request,
    });
    const kept = owner === null ? rows : floor;
    return { data: { rows: rows.map(shown), floor: kept.map(shown), version } };
  },
});

/** Null for the operator, whose rows are for all. */
const ownerOf = ({ operator, client_id }: UserCaller): number | null =>
  operator ? null : client_id;

const shown = ({ from, to, valid_for, bps }: SpreadRow): Static<typeof Row> => ({
  from: from === '' ? null : from,
  to: to === '' ? null : to,
  valid_for,
  bps,
});

const keyOf = ({ from, to, valid_for }: SpreadRow): string => `${from} ${to} ${valid_for}`;

function rowOf(row: Static<typeof RowInput>, n: number, all: readonly unknown[]): SpreadRow {
  const { from = null, to = null, valid_for, bps } = row;
  if ((from === null) !== (to === null))
    throw wrongField(`rows[${n}]`, 'must have both from and to, or neither');
  if (from !== null && from === to) throw wrongField(`rows[${n}].to`, 'must differ from from');
  const made: SpreadRow = { from: from ?? '', to: to ?? '', valid_for, bps };
  const before = (all as Static<typeof RowInput>[]).slice(0, n);
  const same = (one: Static<typeof RowInput>) =>
    keyOf({ from: one.from ?? '', to: one.to ?? '', valid_for: one.valid_for, bps }) ===
    keyOf(made);
  if (before.some(same)) throw wrongField(`rows[${n}]`, 'is there twice');
  return made;
}

/** Every quote needs a row: the operator's general ones are the last that are looked at. */
function requireGeneral(rows: readonly SpreadRow[]): void {
  const missing = Object.keys(QUOTE_PERIODS).filter(
    (period) => !rows.some(({ from, valid_for }) => from === '' && valid_for === period),
  );
  if (missing.length > 0)
    throw wrongField('rows', `must have a row for all pairs, for ${missing.join(', ')}`);
}

function requireFloor(rows: readonly SpreadRow[], floor: readonly SpreadRow[]): void {
  const details = rows.flatMap((row, n) => {
    const least = floorOf(row, floor);
    if (row.bps >= least) return [];
    return [{ field: `rows[${n}].bps`, message: `must be at least ${least}` }];
  });
  if (details.length > 0)
    throw fail('FEE_BELOW_FLOOR', 'Spreads may not be below those of the platform', { details });
}

const floorOf = (row: SpreadRow, floor: readonly SpreadRow[]): number =>
  floor.find((one) => keyOf(one) === keyOf(row))?.bps ??
  floor.find((one) => one.from === '' && one.valid_for === row.valid_for)?.bps ??
  0;
