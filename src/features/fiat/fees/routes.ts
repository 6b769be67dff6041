import { type Static, Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requireVersion, versionMeant } from '#kernel/http/declare/if-match.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  DecimalInput,
  explained,
  integerInput,
  oneOfWords,
  stamped,
  TextOrNull,
} from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { CurrencyField } from '#kernel/money/amount-fields.ts';
import { format, money, SCALE } from '#kernel/money/money.ts';
import {
  countFeeChange,
  FEE_RAILS,
  type FeeRow,
  feeVersion,
  listFees,
  replaceFees,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);

const BPS_MAX = 2000;
const ROWS_MAX = 200;

const RailField = oneOfWords(FEE_RAILS);
const MethodField = explained(
  Type.String({ pattern: '^[a-z_]{1,40}$', examples: ['qris'] }),
  'Without one it counts for every method that has no row of its own',
);

const Shown = named('FeeRow', {
  rail: RailField,
  method: explained(TextOrNull, 'Null counts for every method that has no row of its own'),
  currency: Type.String(),
  flat: Type.String(),
  bps: explained(Type.Integer(), 'Hundredths of a percent of the amount, rounded up'),
  min: TextOrNull,
  max: TextOrNull,
});
const Fees = stamped({
  data: Type.Object({
    rows: Type.Array(Shown),
    version: explained(Type.Integer(), 'Of the rows of the client itself; 0 where it has none'),
  }),
});

const Written = Type.Object({
  rail: RailField,
  method: Type.Optional(MethodField),
  currency: CurrencyField,
  flat: DecimalInput,
  bps: integerInput(0, BPS_MAX),
  min: Type.Optional(DecimalInput),
  max: Type.Optional(DecimalInput),
});
type WrittenFee = Static<typeof Written>;

/** Fees of the payments beyond the contract; those of its own endpoints are settings. */
export const paymentFeeRoutes: Route[] = [
  endpoint('GET /fees', {
    name: 'fees.list',
    auth: 'user',
    summary: 'Lists what is charged: the rows of the client, else the operator’s',
    reply: { 200: Fees },
    fault: 'Failed to read fees',
    handler: async ({ caller, db }) => shown(db, rowsOwner(caller)),
  }),
  endpoint('PUT /fees', {
    name: 'fees.replace',
    auth: 'admin',
    proof: true,
    movesMoney: true,
    errors: ['FEE_BELOW_FLOOR', 'VERSION_CONFLICT'],
    summary: 'Replaces all rows of the client; the operator’s count where it has none',
    body: Type.Object({
      rows: Type.Array(Written, { maxItems: ROWS_MAX }),
      version: Type.Optional(integerInput(0, ID_MAX)),
    }),
    example: { rows: [{ rail: 'withdrawal', currency: 'USD', flat: '0.75', bps: 10 }], version: 0 },
    reply: { 200: Fees },
    atomic: true,
    fault: 'Failed to change fees',
    async handler({ caller, body, request, db }) {
      const owner = rowsOwner(caller);
      const rows = body.rows.map(readFee);
      refuseTwice(rows);
      const before = await feeVersion(db, owner);
      requireVersion(before, versionMeant(body, request.headers));
      if (owner !== null) requireFloor(rows, await listFees(db, null));
      const counted = await countFeeChange(db, owner, { before, by: caller.user_id });
      if (counted === undefined)
        throw fail('VERSION_CONFLICT', 'It has been changed since it was read', {
          details: { version: await feeVersion(db, owner) },
        });
      await replaceFees(db, owner, rows);
      await logActivity(db, {
        action: 'FEES_REPLACED',
        actor: caller,
        details: { rows: rows.map(shownFee), version: counted },
        request,
      });
      return shown(db, owner);
    },
  }),
];

/** The operator's admins change the rows of all clients. */
const rowsOwner = ({ operator, client_id }: UserCaller): number | null =>
  operator ? null : client_id;

async function shown(db: Db, owner: number | null) {
  const rows = await listFees(db, owner);
  return { data: { rows: rows.map(shownFee), version: await feeVersion(db, owner) } };
}

const shownFee = ({ rail, method, currency, flat, bps, least, most }: FeeRow) => ({
  rail,
  method: method === '' ? null : method,
  currency,
  flat: format({ asset: currency, units: flat }),
  bps,
  min: least === null ? null : format({ asset: currency, units: least }),
  max: most === null ? null : format({ asset: currency, units: most }),
});

function readFee({ rail, method = '', currency, flat, bps, min, max }: WrittenFee): FeeRow {
  const units = (text: string | undefined, field: string): bigint | null => {
    if (text === undefined) return null;
    const [, fraction = ''] = text.split('.');
    if (fraction.length > SCALE[currency])
      throw wrongField(`rows.${field}`, `has more digits than ${currency}`);
    return money(currency, text).units;
  };
  const least = units(min, 'min');
  const most = units(max, 'max');
  if (least !== null && most !== null && least > most)
    throw wrongField('rows.min', 'must not be above max');
  return { rail, method, currency, flat: units(flat, 'flat') ?? 0n, bps, least, most };
}

const nameOfFee = ({ rail, method, currency }: FeeRow): string =>
  [rail, method, currency].filter((part) => part !== '').join(' ');

function refuseTwice(rows: readonly FeeRow[]): void {
  const names = rows.map(nameOfFee);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw wrongField('rows', `has two of ${twice}`);
}

/** A client charges no less than the operator. */
function requireFloor(rows: readonly FeeRow[], operators: readonly FeeRow[]): void {
  for (const row of rows) {
    const of = (method: string) =>
      operators.find(
        (one) => one.rail === row.rail && one.currency === row.currency && one.method === method,
      );
    const floor = of(row.method) ?? of('');
    if (floor && isBelow(row, floor))
      throw fail('FEE_BELOW_FLOOR', `The fee of ${nameOfFee(row)} is below the operator’s`, {
        details: shownFee(floor),
      });
  }
}

const isBelow = (row: FeeRow, floor: FeeRow): boolean =>
  row.flat < floor.flat ||
  row.bps < floor.bps ||
  (row.least ?? 0n) < (floor.least ?? 0n) ||
  (row.most !== null && row.most < mostOf(floor));

/** What a floor comes to for the largest amounts; without a part of the amount it is the same for all. */
const mostOf = ({ most, bps, flat, least }: FeeRow): bigint => {
  if (bps > 0) return most ?? UNBOUNDED;
  return least !== null && least > flat ? least : flat;
};
const UNBOUNDED = 10n ** 38n;
