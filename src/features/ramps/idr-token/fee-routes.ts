import { Type } from 'typebox';
import type { Route } from '#kernel/http/declare/route.ts';
import { explained, flat, Nullable, oneOfWords } from '#kernel/http/declare/schema.ts';
import { format, type Money, toWire } from '#kernel/money/money.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '#providers/gateway/port.ts';
import { idrTokenEndpoint } from './envelope.ts';
import { METHODS, PAYABLE_HOURS, REDEEM_TIERS, REFUND_BASE, refundFee } from './fees.ts';

const TYPES = ['MINT', 'REDEEM', 'REFUND', 'BRIDGE'] as const;

const FEE_TYPES = ['FIXED', 'PERCENTAGE'] as const;
const Fee = explained(
  Type.Number(),
  'Rupiah where `fee_type` is `FIXED`; percent where it is `PERCENTAGE`',
);
/** What the contract's one figure means. */
const FEE_KIND = {
  fee_type: oneOfWords(FEE_TYPES),
  fee_percent: explained(
    Nullable(Type.Number()),
    'Of the amount, rounded up to a rupiah; `null` where it is fixed',
  ),
};

const Mint = Type.Object({
  operation: Type.String(),
  methods: Type.Array(
    Type.Object({
      method: Type.String(),
      fee: Fee,
      ...FEE_KIND,
      description: Type.String(),
    }),
  ),
  processingTime: Type.String(),
  autoCancel: Type.String(),
});
const Redeem = Type.Object({
  operation: Type.String(),
  fees: Type.Array(
    Type.Object({ range: Type.String(), fee: Type.Number(), processingTime: Type.String() }),
  ),
  maxProcessingTime: Type.String(),
});
const Refund = Type.Object({
  operation: Type.String(),
  formula: Type.String(),
  examples: Type.Array(
    Type.Object({ amount: Type.Number(), calculation: Type.String(), netRefund: Type.Number() }),
  ),
  note: Type.String(),
});
const Bridge = Type.Object({
  operation: Type.String(),
  available: Type.Boolean(),
  fee: Type.Number(),
  note: Type.String(),
});

/** What the token costs, and how it may be paid (contract part 3, IDR token). */
export const feeRoutes = (): Route[] => [
  idrTokenEndpoint('GET /idrtoken/payment-methods', {
    name: 'idrTokens.listMethods',
    auth: 'user',
    summary: 'How tokens may be paid, and what that costs',
    reply: {
      200: flat({
        data: Type.Array(
          Type.Object({
            method: Type.String(),
            name: Type.String(),
            fee: Fee,
            ...FEE_KIND,
            description: Type.String(),
          }),
        ),
        source: Type.Literal('LIVE'),
      }),
    },
    fault: 'Failed to list payment methods',
    handler: async () => ({ data: PAYMENT_METHODS.map(methodOf), source: 'LIVE' as const }),
  }),

  idrTokenEndpoint('GET /idrtoken/fees', {
    name: 'idrTokens.getFees',
    auth: 'user',
    summary: 'What buying, redeeming and refunding costs',
    query: Type.Object({ type: Type.Optional(oneOfWords(TYPES)) }),
    reply: {
      200: flat({
        data: Type.Object({
          mint: Type.Optional(Mint),
          redeem: Type.Optional(Redeem),
          refund: Type.Optional(Refund),
          bridge: Type.Optional(Bridge),
        }),
      }),
    },
    fault: 'Failed to list fees',
    async handler({ query: { type } }) {
      const wants = (one: (typeof TYPES)[number]) => type === undefined || type === one;
      return {
        data: {
          ...(wants('MINT') && { mint: MINT }),
          ...(wants('REDEEM') && { redeem: REDEEM }),
          ...(wants('REFUND') && { refund: REFUND }),
          ...(wants('BRIDGE') && { bridge: BRIDGE }),
        },
      };
    },
  }),
];

/** `250,000,000`. */
const inWords = (amount: Money): string =>
  format(amount)
    .replace(/\.00$/, '')
    .replace(/\B(?=(\d{3})+$)/g, ',');

function methodOf(method: PaymentMethod) {
  const { name, terms } = METHODS[method];
  if ('fixed' in terms) {
    const fee = toWire(terms.fixed);
    const description = fee === 0 ? 'Free' : `IDR ${inWords(terms.fixed)} for each payment`;
    return { method, name, fee, fee_type: 'FIXED' as const, fee_percent: null, description };
  }
  const description = `${terms.percent}% of the amount`;
  return {
    method,
    name,
    description,
    fee: Number(terms.percent),
    fee_type: 'PERCENTAGE' as const,
    fee_percent: Number(terms.percent),
  };
}

const MINT = {
  operation: 'MINT',
  methods: PAYMENT_METHODS.map(methodOf).map(({ name, ...shown }) => shown),
  processingTime: 'At most 24 hours',
  autoCancel: `Unpaid after ${PAYABLE_HOURS} hours`,
};

const REDEEM = {
  operation: 'REDEEM',
  fees: REDEEM_TIERS.map(({ upTo, fee, waitsForOffice }, i) => {
    const above = REDEEM_TIERS[i - 1]?.upTo;
    return {
      range: `${above ? `Above ${inWords(above)} up` : 'Up'} to ${inWords(upTo)}`,
      fee: toWire(fee),
      processingTime: waitsForOffice
        ? 'Office hours only (Monday to Friday, 08:00 to 15:00 WIB)'
        : 'Real-time',
    };
  }),
  maxProcessingTime: '24 hours',
};

const REFUND = {
  operation: 'REFUND',
  formula: `Net refund = amount - (${inWords(REFUND_BASE)} + redeem fee)`,
  examples: REDEEM_TIERS.map(({ upTo: amount, fee }) => {
    const net = { asset: 'IDR', units: amount.units - refundFee(amount).units } as const;
    return {
      amount: toWire(amount),
      calculation: `${inWords(amount)} - (${inWords(REFUND_BASE)} + ${inWords(fee)}) = ${inWords(net)}`,
      netRefund: toWire(net),
    };
  }),
  note: 'Once for a transaction, to the IDR wallet; minted tokens are taken back first',
};

const BRIDGE = {
  operation: 'BRIDGE',
  available: false,
  fee: 0,
  note: 'The token is redeemed on the chain it is on; it is not moved between chains',
};
