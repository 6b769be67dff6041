import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requiredVersion, requireVersion } from '#kernel/http/declare/if-match.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, integerInput, Nullable, stamped } from '#kernel/http/declare/schema.ts';
import { MoneyInput, MoneyText, moneyOf } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { CONVERTIBLE, readRates } from './convert.ts';
import {
  limitsVersion,
  lockLimitsVersion,
  type Position,
  readPositions,
  setLimits,
} from './position-store.ts';
import { usdWorth } from './quote-room.ts';
import { QuotableField } from './quote-shape.ts';

const endpoint = endpoints(codedEnvelope);
const VERSION_MAX = 2 ** 31 - 1;

const ShownPosition = named('FxPosition', {
  currency: QuotableField,
  posted: explained(MoneyText, 'Bought less sold; below zero where more was sold'),
  quoted_in: explained(MoneyText, 'What quotes that are open or not yet paid would bring in'),
  quoted_out: explained(MoneyText, 'What they would pay out'),
  worth_usd: explained(
    Nullable(MoneyText),
    'Of what is posted, at the middle of the market; null while there are no rates',
  ),
  max_open_usd: MoneyText,
});
const Positions = stamped({
  data: Type.Object({ items: Type.Array(ShownPosition), version: Type.Integer() }),
});

interface PositionDeps {
  readonly fx: ExchangeRates;
}

/** What the platform has bought and sold, and how much it may. */
export const positionRoutes = (deps: PositionDeps): Route[] => [readRoute(deps), limitsRoute(deps)];

const readRoute = ({ fx }: PositionDeps): Route =>
  endpoint('GET /fx/positions', {
    name: 'fx.listPositions',
    auth: 'admin',
    permit: operatorOnly,
    summary: 'Lists what the platform has bought and sold of each currency, and promised',
    reply: { 200: Positions },
    fault: 'Failed to list positions',
    async handler({ db }) {
      const [positions, version] = await Promise.all([readPositions(db), limitsVersion(db)]);
      return { data: { items: await shownAll(fx, positions), version } };
    },
  });

const limitsRoute = ({ fx }: PositionDeps): Route =>
  endpoint('PUT /fx/limits', {
    name: 'fx.setLimits',
    team: 'settings:write',
    auth: 'admin',
    permit: operatorOnly,
    proof: true,
    movesMoney: true,
    errors: ['VERSION_CONFLICT'],
    summary: 'Sets how much of each currency the platform may have bought or sold',
    body: Type.Object({
      limits: Type.Array(
        named('FxLimitInput', { currency: QuotableField, max_open_usd: MoneyInput }),
        { minItems: 1, maxItems: CONVERTIBLE.length },
      ),
      version: Type.Optional(integerInput(1, VERSION_MAX)),
    }),
    example: { limits: [{ currency: 'IDR', max_open_usd: '500000.00' }], version: 1 },
    reply: { 200: Positions },
    atomic: true,
    fault: 'Failed to set the limits',
    async handler({ caller, body, request, db }) {
      const meant = requiredVersion(body, request.headers);
      const limits = body.limits.map(({ currency, max_open_usd: amount }, n) => {
        if (body.limits.findIndex((one) => one.currency === currency) < n)
          throw wrongField(`limits[${n}].currency`, 'is there twice');
        const { units } = moneyOf({ amount, currency: 'USD' }, `limits[${n}].max_open_usd`);
        if (units > LIMIT_MAX)
          throw wrongField(`limits[${n}].max_open_usd`, 'must be at most 10000000000.00');
        return { currency, max_open_usd: units };
      });
      requireVersion(await lockLimitsVersion(db), meant);
      const version = await setLimits(db, limits, caller.user_id);
      await logActivity(db, {
        action: 'FX_LIMITS_SET',
        actor: caller,
        details: { limits: body.limits, version },
        request,
      });
      return { data: { items: await shownAll(fx, await readPositions(db)), version } };
    },
  });

/** Ten thousand million dollars, in cents. */
const LIMIT_MAX = 1_000_000_000_000n;

/** Rates that are away hide what they are worth, and nothing else. */
async function shownAll(fx: ExchangeRates, positions: readonly Position[]) {
  const rates = await readRates(fx).catch(() => undefined);
  return positions.map(({ currency, posted, quoted_in, quoted_out, max_open_usd }) => {
    const text = (units: bigint) => format({ asset: currency, units });
    const worth = rates && usdWorth(rates, { asset: currency, units: posted });
    return {
      currency,
      posted: text(posted),
      quoted_in: text(quoted_in),
      quoted_out: text(quoted_out),
      worth_usd: worth === undefined ? null : format({ asset: 'USD', units: worth }),
      max_open_usd: format({ asset: 'USD', units: max_open_usd }),
    };
  });
}
