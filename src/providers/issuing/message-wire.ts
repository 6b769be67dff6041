import { type Static, Type } from 'typebox';
import type { CardNewsKind, DeclineReason, FundingKind } from './port.ts';

const word = (maxLength: number) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));
const IssuingFlag = Type.Optional(
  Type.Union([Type.Boolean(), Type.String({ maxLength: 5 }), Type.Null()]),
);
const Funding = Type.Object({
  token: Type.String({ maxLength: 64 }),
  method: Type.String({ maxLength: 100 }),
  amount: Type.Number(),
});
const Order = Type.Optional(
  Type.Union([Type.Object({ jit_funding: Type.Optional(Funding) }), Type.Null()]),
);

/** What we look at of a transaction. */
export const IssuingTransaction = Type.Object({
  type: Type.String({ maxLength: 100 }),
  state: Type.String({ maxLength: 30 }),
  token: Type.String({ minLength: 1, maxLength: 64 }),
  user_token: Type.String({ maxLength: 64 }),
  card_token: Type.String({ maxLength: 64 }),
  amount: Type.Number({ minimum: 0 }),
  currency_code: Type.String({ pattern: '^[A-Z]{3}$' }),
  created_time: word(40),
  preceding_related_transaction_token: word(64),
  network_reference_id: word(64),
  clearing_record_sequence_number: word(20),
  is_final_clearing: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  card_acceptor: Type.Optional(
    Type.Object({
      mid: word(50),
      name: word(200),
      mcc: word(4),
      city: word(100),
      country_code: word(3),
      country: word(3),
    }),
  ),
  pos: Type.Optional(
    Type.Object({ card_presence: IssuingFlag, partial_approval_capable: IssuingFlag }),
  ),
  currency_conversion: Type.Optional(
    Type.Object({
      network: Type.Optional(
        Type.Object({ original_amount: Type.Number(), original_currency_code: Type.String() }),
      ),
    }),
  ),
  card_security_code_verification: Type.Optional(
    Type.Object({ response: Type.Optional(Type.Object({ code: Type.String() })) }),
  ),
  gpa_order: Order,
  gpa_order_unload: Order,
});
export type IssuingTransaction = Static<typeof IssuingTransaction>;

/** Transactions that are paged by the number of the first one. */
export const IssuingPage = Type.Object({
  data: Type.Array(Type.Unknown()),
  is_more: Type.Boolean(),
});

export const FUNDING_KINDS: Readonly<Record<string, FundingKind>> = {
  'pgfs.authorization': 'authorization',
  'pgfs.auth_plus_capture': 'authorization',
  'pgfs.authorization.incremental': 'increment',
  'pgfs.authorization.account_verification': 'verification',
  'pgfs.balanceinquiry': 'balance',
  'pgfs.balance_inquiry': 'balance',
};

export const NEWS_KINDS: Readonly<Record<string, CardNewsKind>> = {
  'pgfs.authorization': 'authorization',
  'pgfs.authorization.incremental': 'increment',
  'pgfs.authorization.account_verification': 'verification',
  'pgfs.authorization.standin': 'advice',
  'pgfs.authorization.reversal': 'reversal',
  'pgfs.authorization.reversal.issuerexpiration': 'expiration',
  'pgfs.authorization.clearing': 'settlement',
  'pgfs.authorization.capture': 'settlement',
  'pgfs.auth_plus_capture': 'settlement',
  'pgfs.auth_plus_capture.standin': 'settlement',
  'pgfs.force_capture': 'settlement',
  'pgfs.authorization.clearing.chargeback.completed': 'charge_back',
  'pgfs.refund': 'refund',
  'pgfs.refund.authorization': 'refund_authorization',
  'pgfs.refund.authorization.clearing': 'refund',
};

/** They settle what they ask for by themselves. */
export const SINGLE_MESSAGES = new Set([
  'pgfs.auth_plus_capture',
  'pgfs.auth_plus_capture.standin',
]);

export const DECLINE_WORDS: Readonly<Partial<Record<DeclineReason, string>>> = {
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  card_not_active: 'CARD_NOT_ACTIVE',
  card_frozen: 'CARD_NOT_ACTIVE',
  card_closed: 'INVALID_CARD',
  card_expired: 'EXPIRED_CARD',
  unknown_card: 'INVALID_CARD',
  single_use_spent: 'TRANSACTION_COUNT_LIMIT_EXCEEDED',
  limit_transaction: 'AMOUNT_LIMIT_EXCEEDED',
  limit_day: 'AMOUNT_LIMIT_EXCEEDED',
  limit_week: 'AMOUNT_LIMIT_EXCEEDED',
  limit_month: 'AMOUNT_LIMIT_EXCEEDED',
  limit_all_time: 'AMOUNT_LIMIT_EXCEEDED',
  merchant_blocked: 'INVALID_MERCHANT',
  user_stopped: 'CARDHOLDER_NOT_ACTIVE',
  suspected_fraud: 'SUSPECTED_FRAUD',
};
export const OTHER_DECLINE = 'TRANSACTION_NOT_PERMITTED';
