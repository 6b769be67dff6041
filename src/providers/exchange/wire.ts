import { type Static, Type } from 'typebox';
import { type Asset, SCALE } from '#kernel/money/money.ts';
import { divide, parseRate, type Rounding } from '#kernel/money/rate.ts';

/**
 * ccxt's form of an exchange's answers, with every amount as its exact text, and the exchange's own fields in `info`
 * for those that ccxt omits.
 */

const Decimal = Type.String({ pattern: '^\\d{1,30}(\\.\\d{1,30})?$' });
const Ref = Type.Union([Type.String(), Type.Null(), Type.Undefined()]);
const Time = Type.Number({ minimum: 0 });

export const CcxtOrder = Type.Object({
  id: Type.String(),
  clientOrderId: Type.Optional(Ref),
  status: Type.String(),
  filled: Decimal,
  cost: Decimal,
  timestamp: Time,
});
export type CcxtOrder = Static<typeof CcxtOrder>;
export const CcxtOrders = Type.Array(CcxtOrder);

export const CcxtTrades = Type.Array(
  Type.Object({
    order: Type.String(),
    amount: Decimal,
    fee: Type.Object({ currency: Ref, cost: Type.Union([Decimal, Type.Undefined()]) }),
  }),
);
export type CcxtTrade = Static<typeof CcxtTrades>[number];

/** ccxt makes no balance of an answer that it does not understand, so the exchange's own list has to be there. */
export const CcxtBalances = Type.Object({
  info: Type.Object({ data: Type.Object({ accountAssets: Type.Array(Type.Unknown()) }) }),
  IDR: Type.Optional(Type.Object({ total: Decimal })),
  USDC: Type.Optional(Type.Object({ total: Decimal })),
});

export const CcxtReceipt = Type.Object({ id: Type.String({ minLength: 1 }) });

const moved = { id: Type.String(), status: Type.String(), amount: Decimal, timestamp: Time };
const Text = Type.Union([Type.String(), Type.Number()]);

/** ccxt labels every movement with the requested currency; `info.asset` has the real one. */
export const CcxtDeposits = Type.Array(
  Type.Object({
    ...moved,
    txid: Type.Optional(Ref),
    info: Type.Object({ asset: Type.String() }),
  }),
);
export type CcxtDeposit = Static<typeof CcxtDeposits>[number];

export const CcxtWithdrawals = Type.Array(
  Type.Object({
    ...moved,
    txid: Type.Optional(Ref),
    info: Type.Object({
      asset: Type.String(),
      clientId: Type.Optional(Type.Union([Text, Type.Null()])),
      fee: Type.Optional(Text),
    }),
  }),
);
export type CcxtWithdrawal = Static<typeof CcxtWithdrawals>[number];

const Positive = Type.Number({ minimum: 0, maximum: 1e15 });
/** An order book: `[price, amount]`, which ccxt answers in floats. */
export const CcxtBook = Type.Object({
  asks: Type.Array(Type.Tuple([Positive, Positive]), { maxItems: 5000 }),
});
export type CcxtBook = Static<typeof CcxtBook>;

const FINEST = 18;
/** One whole, in the finest unit. */
export const ONE = 10n ** BigInt(FINEST);

/** Exactly, for sums of amounts finer than our units. */
export const finest = (text: string): bigint => {
  const { numerator, denominator } = parseRate(text);
  return divide(numerator * 10n ** BigInt(FINEST), denominator, 'down');
};

/** Whole units of such a sum. */
export const fromFinest = (asset: Asset, sum: bigint, rounding: Rounding): bigint =>
  divide(sum, 10n ** BigInt(FINEST - SCALE[asset]), rounding);

/** Whole units of a decimal that may be finer than they are. */
export function exchangeUnitsOf(asset: Asset, text: string, rounding: Rounding): bigint {
  const { numerator, denominator } = parseRate(text);
  return divide(numerator * 10n ** BigInt(SCALE[asset]), denominator, rounding);
}
