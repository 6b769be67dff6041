import { type Static, Type } from 'typebox';
import { wrongField } from '#kernel/error.ts';
import { named } from '#kernel/http/declare/named.ts';
import { explained, oneOfWords } from '#kernel/http/declare/schema.ts';
import { type Currency, MoneyInput, MoneyText, moneyOf } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';

const INTERVALS = ['transaction', 'day', 'week', 'month', 'all_time'] as const;
const LIMITS_MAX = 10;
const LISTED_MAX = 200;

const Mccs = Type.Array(Type.String({ pattern: '^\\d{4}$', examples: ['5812'] }), {
  maxItems: LISTED_MAX,
});
const list = (pattern: string, example: string) =>
  Type.Array(Type.String({ pattern, examples: [example] }), { maxItems: LISTED_MAX });

const merchants = {
  mcc: Type.Optional(explained(Mccs, 'Categories of merchants, by their four digits (ISO 18245)')),
  country: Type.Optional(explained(list('^[A-Z]{2}$', 'SG'), 'Of the merchant')),
  merchant_id: Type.Optional(
    explained(list('^[!-~]{1,50}$', '445100321000100'), 'By the acquirer’s number'),
  ),
};

const interval = oneOfWords(INTERVALS);
const onlyMcc = Type.Optional(
  explained(Mccs, 'Only what is spent at these categories counts; all without it'),
);
const online = Type.Optional(
  explained(Type.Boolean(), 'Whether it pays where the card is not present; yes without it'),
);
const SentMerchants = named('CardMerchantsInput', merchants);
const ShownMerchants = named('CardMerchants', merchants);

/** What a card may pay, as a request has it. */
export const controlsInput = {
  spending_limits: Type.Optional(
    Type.Array(named('CardSpendingLimitInput', { interval, amount: MoneyInput, mcc: onlyMcc }), {
      maxItems: LIMITS_MAX,
    }),
  ),
  allowed: Type.Optional(SentMerchants),
  blocked: Type.Optional(SentMerchants),
  online,
};
const ControlsInput = Type.Object(controlsInput);

/** The same as an answer shows it, and a table keeps it. */
export const ShownControls = named('CardControls', {
  spending_limits: Type.Optional(
    Type.Array(named('CardSpendingLimit', { interval, amount: MoneyText, mcc: onlyMcc })),
  ),
  allowed: Type.Optional(ShownMerchants),
  blocked: Type.Optional(ShownMerchants),
  online,
});
export type CardControls = Static<typeof ShownControls>;

/** Controls of a request, in the currency of the card. Throws VALIDATION_ERROR. */
export function readControls(
  { spending_limits, allowed, blocked, online }: Static<typeof ControlsInput>,
  currency: Currency,
): CardControls {
  const limits = spending_limits?.map(({ interval, amount, mcc }, n) => ({
    interval,
    amount: format(moneyOf({ amount, currency }, `spending_limits[${n}].amount`)),
    ...(mcc && { mcc }),
  }));
  const kinds = limits?.map(({ interval, mcc }) => `${interval} ${[...(mcc ?? [])].sort().join()}`);
  if (kinds && new Set(kinds).size < kinds.length)
    throw wrongField('spending_limits', 'has two limits for the same interval and categories');
  return {
    ...(limits && { spending_limits: limits }),
    ...(allowed && { allowed }),
    ...(blocked && { blocked }),
    ...(online !== undefined && { online }),
  };
}
