import { type Static, Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { emit } from '#kernel/events/emit.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { DecimalInput, Id, Nullable, stamped, Timestamp } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { divide, parseRate } from '#kernel/money/rate.ts';
import { FeeRates, feeSettingsUpdated, Settings, shown } from './events.ts';
import { type FeeTerms, replaceTerms } from './store.ts';
import { feesInForce } from './terms.ts';

const endpoint = endpoints(codedEnvelope);

const NewTerms = Type.Object({
  platform_fee_percentage: DecimalInput,
  minimum_platform_fee_usd: DecimalInput,
  gas_price_multiplier: DecimalInput,
});

/** Fees of sends, per client (contract: Platform fee settings). */
export const feeSettingsRoutes = ({ config }: Pick<Kernel, 'config'>): Route[] => [
  endpoint('GET /onchain/admin/fee-settings', {
    name: 'feeSettings.get',
    auth: 'admin',
    summary: 'The platform fees in force for the client of the caller',
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          platform_fee_settings: Type.Object({
            ...FeeRates,
            updated_at: Nullable(Timestamp),
            created_at: Nullable(Timestamp),
          }),
          is_default: Type.Boolean(),
        }),
      }),
    },
    async handler({ caller, db }) {
      const { record, terms } = await feesInForce(db, config, caller.client_id);
      const { updated_at = null, created_at = null } = record ?? {};
      return {
        message: record ? 'Fee settings retrieved' : 'No fee settings yet: the defaults apply',
        data: {
          platform_fee_settings: { ...shown(terms), updated_at, created_at },
          is_default: record === undefined,
        },
      };
    },
  }),

  endpoint('PUT /onchain/admin/fee-settings', {
    name: 'feeSettings.set',
    auth: 'admin',
    proof: true,
    errors: ['FEE_BELOW_FLOOR'],
    summary: 'Sets the platform fees for the client of the caller',
    body: NewTerms,
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          updated_settings: Settings,
          updated_by: Id,
          previous_settings_deactivated: Type.Boolean(),
        }),
      }),
    },
    atomic: true,
    async handler({ caller, body, db, request }) {
      const { client_id, user_id } = caller;
      const terms = readTerms(body);
      const floored = !config.MOCK_MODE && client_id !== OPERATOR_CLIENT_ID;
      const wanted = { client_id, updated_by_admin_id: user_id, terms, floored };
      const done = await replaceTerms(db, wanted);
      if ('floor' in done) throw belowFloor(terms, done.floor);
      const { record, replaced } = done;
      const updated_settings = { ...record, ...shown(record) };
      emit(db, feeSettingsUpdated, { client_id, id: client_id, data: updated_settings });
      await logActivity(db, {
        action: 'UPDATE_FEE_SETTINGS',
        actor: caller,
        details: { ...terms },
        request,
      });
      return {
        message: 'Fee settings updated',
        data: {
          updated_settings,
          updated_by: user_id,
          previous_settings_deactivated: replaced,
        },
      };
    },
  }),
];

const DOLLARS_MAX = 1_000_000n;

interface Bound {
  readonly field: keyof Static<typeof NewTerms>;
  /** Stored units in one unit of the field. */
  readonly scale: bigint;
  readonly min: bigint;
  readonly max: bigint;
  readonly rule: string;
}

const BOUNDS: Readonly<Record<keyof FeeTerms, Bound>> = {
  fee_ppm: {
    field: 'platform_fee_percentage',
    scale: 10_000n,
    min: 0n,
    max: 100_000n,
    rule: 'must be from 0 to 10, with at most 4 decimals',
  },
  minimum_micro_usd: {
    field: 'minimum_platform_fee_usd',
    scale: 1_000_000n,
    min: 1n,
    max: DOLLARS_MAX * 1_000_000n,
    rule: `must be positive, at most ${DOLLARS_MAX}, with at most 6 decimals`,
  },
  gas_points: {
    field: 'gas_price_multiplier',
    scale: 10_000n,
    min: 10_000n,
    max: 30_000n,
    rule: 'must be from 1.0 to 3.0, with at most 4 decimals',
  },
};

/** VALIDATION_ERROR naming every field that is out of its bounds (contract: Limits). */
function readTerms(body: Static<typeof NewTerms>): FeeTerms {
  const read = (name: keyof FeeTerms): number | undefined => {
    const { field, scale, min, max } = BOUNDS[name];
    const { numerator, denominator } = parseRate(body[field]);
    const units = divide(numerator * scale, denominator, 'down');
    const exact = units * denominator === numerator * scale;
    return exact && units >= min && units <= max ? Number(units) : undefined;
  };
  const [fee_ppm, minimum_micro_usd, gas_points] = [
    read('fee_ppm'),
    read('minimum_micro_usd'),
    read('gas_points'),
  ];
  if (fee_ppm !== undefined && minimum_micro_usd !== undefined && gas_points !== undefined)
    return { fee_ppm, minimum_micro_usd, gas_points };
  const wrong = Object.entries({ fee_ppm, minimum_micro_usd, gas_points })
    .filter(([, units]) => units === undefined)
    .map(([name]) => BOUNDS[name as keyof FeeTerms]);
  const [first] = wrong;
  throw fail('VALIDATION_ERROR', `${first?.field} ${first?.rule}`, {
    details: wrong.map(({ field, rule }) => ({ field, message: rule })),
  });
}

/** Names the floor, which is the operator's own terms, and the fields below it. */
function belowFloor(terms: FeeTerms, floor: FeeTerms): AppError {
  const least = Object.entries(shown(floor));
  const wanted: Readonly<Record<string, number>> = shown(terms);
  const text = least.map(([field, value]) => `${field} ${value}`).join(', ');
  return fail('FEE_BELOW_FLOOR', `Fees may not be below those of the platform: ${text}`, {
    details: least
      .filter(([field, value]) => (wanted[field] ?? 0) < value)
      .map(([field, value]) => ({ field, message: `must be at least ${value}` })),
  });
}
