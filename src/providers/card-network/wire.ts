import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { format, type Money } from '#kernel/money/money.ts';
import {
  done,
  type HttpReply,
  neverArrived,
  type Outcome,
  type ProviderReply,
  refused,
  unknown,
} from '../../kernel/provider-call.ts';
import { meaningOf } from '../code-table.ts';
import { ACTION_CODES, ACTION_REASONS, APPROVED } from './action-codes.ts';
import type { CardCurrency, CardNetworkMovement, Trace } from './port.ts';

/** ISO 4217 numbers, which is how the network names currencies. */
export const CURRENCY_NUMBER = {
  USD: '840',
  IDR: '360',
  SGD: '702',
  AUD: '036',
  INR: '356',
  VND: '704',
} as const satisfies Record<CardCurrency, string>;

const digits = (length: number) => Type.String({ pattern: `^\\d{${length}}$` });
export const DateTime = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$' });
const Expiry = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' });
const Pan = Type.String({ pattern: '^\\d{13,19}$' });
const Amount = Type.String({ pattern: '^(0|[1-9]\\d{0,11})(\\.\\d{1,3})?$' });

const named = {
  systemsTraceAuditNumber: digits(6),
  retrievalReferenceNumber: digits(12),
  acquiringBin: digits(6),
  acquirerCountryCode: digits(3),
};
const Address = Type.Object({
  city: Type.String(),
  country: Type.String(),
  state: Type.String(),
  zipCode: Type.String(),
});
const CardAcceptor = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 25 }),
  terminalId: Type.String({ minLength: 1, maxLength: 8 }),
  idCode: Type.String({ minLength: 1, maxLength: 15 }),
  address: Address,
});

export const ValidationRequest = Type.Object({
  ...named,
  primaryAccountNumber: Pan,
  cardExpiryDate: Expiry,
  cardCvv2Value: Type.Optional(digits(3)),
  cardAcceptor: CardAcceptor,
});
export const PullRequest = Type.Object({
  ...named,
  localTransactionDateTime: DateTime,
  senderPrimaryAccountNumber: Pan,
  senderCardExpiryDate: Type.Optional(Expiry),
  senderCurrencyCode: digits(3),
  amount: Amount,
  businessApplicationId: Type.String({ pattern: '^[A-Z]{2}$' }),
  cardAcceptor: CardAcceptor,
});
export const PushRequest = Type.Object({
  ...named,
  localTransactionDateTime: DateTime,
  senderAccountNumber: Type.String({ minLength: 1, maxLength: 34 }),
  senderName: Type.String({ minLength: 1, maxLength: 30 }),
  senderReference: Type.String({ maxLength: 16 }),
  sourceOfFundsCode: Type.String({ pattern: '^\\d\\d$' }),
  recipientPrimaryAccountNumber: Pan,
  recipientName: Type.String({ minLength: 1, maxLength: 30 }),
  transactionCurrencyCode: digits(3),
  amount: Amount,
  businessApplicationId: Type.String({ pattern: '^[A-Z]{2}$' }),
  cardAcceptor: CardAcceptor,
});
export const ReverseRequest = Type.Object({
  ...named,
  localTransactionDateTime: DateTime,
  transactionIdentifier: digits(15),
  senderPrimaryAccountNumber: Pan,
  senderCardExpiryDate: Type.Optional(Expiry),
  senderCurrencyCode: digits(3),
  amount: Amount,
  originalDataElements: Type.Object({
    systemsTraceAuditNumber: digits(6),
    transmissionDateTime: DateTime,
    acquiringBin: digits(6),
    approvalCode: Type.String({ minLength: 1, maxLength: 6 }),
  }),
  cardAcceptor: CardAcceptor,
});

/** Some of its products write the same number as JSON text, others as a JSON number. */
export const Identifier = Type.Union([
  digits(15),
  Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 }),
]);
export const ApprovalCode = Type.String({ maxLength: 20 });

const MovementReply = Type.Object({
  actionCode: Type.String(),
  transactionIdentifier: Type.Optional(Identifier),
  approvalCode: Type.Optional(ApprovalCode),
  transmissionDateTime: Type.Optional(
    Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' }),
  ),
});
export const ValidationReply = Type.Object({
  actionCode: Type.String(),
  cvv2ResultCode: Type.Optional(Type.String()),
});

/** The last six digits of the retrieval reference number, by the network's convention. */
export const auditNumber = (trace: Trace): string => trace.rrn.slice(-6);

export const amountFields = (money: Money<CardCurrency>) => ({
  amount: format(money),
  currency: CURRENCY_NUMBER[money.asset],
});

/** `YYYY-MM-DDThh:mm:ss`: the network takes neither milliseconds nor a zone. */
export const dateTime = (at: Date): string => at.toISOString().slice(0, 19);

export function cardNetworkMovementOf(reply: ProviderReply): Outcome<CardNetworkMovement> {
  return answerOf(reply, MovementReply, (body) => {
    const { actionCode, transactionIdentifier, approvalCode = '', transmissionDateTime } = body;
    if (actionCode !== APPROVED) return declined(actionCode);
    if (transactionIdentifier === undefined || transmissionDateTime === undefined) {
      return unknown('approved, but not said as what');
    }
    return done({
      transactionIdentifier: identifier(transactionIdentifier),
      approvalCode,
      transmittedAt: transmissionDateTime.slice(0, 19),
    });
  });
}

/** ISO 4217's letters of the number, for the kinds of card money there are. */
export function currencyOf(number: string): CardCurrency | undefined {
  const currencies = Object.keys(CURRENCY_NUMBER) as CardCurrency[];
  return currencies.find((currency) => CURRENCY_NUMBER[currency] === number);
}

/** The meaning of a well-formed answer; all others go to errorOf here, once. */
export function answerOf<S extends TSchema, T>(
  reply: ProviderReply,
  shape: S,
  read: (body: Static<S>) => Outcome<T>,
): Outcome<T> {
  if ('lost' in reply) {
    return neverArrived(reply.lost)
      ? refused('UNREACHABLE', 'The card network cannot be reached', 503)
      : unknown(reply.lost);
  }
  const { status, json } = reply;
  if (status === 200 && Value.Check(shape, json)) return read(json as Static<S>);
  // 202 promises an answer later, and after a 5xx or 408 the transaction may well have happened.
  if (status < 400 || status === 408 || status >= 500) return unknown(`answered ${status}`);
  const { code, message } = errorOf(reply);
  return refused(
    code || `HTTP_${status}`,
    message || 'The card network refused the request',
    status,
  );
}

export function declined(actionCode: string): Outcome<never> {
  if (meaningOf(ACTION_CODES, actionCode) !== 'refused')
    return unknown(`action code ${actionCode.slice(0, 10)}`);
  const [code, message] = ACTION_REASONS[actionCode] ?? ['DECLINED', 'The card was declined'];
  return refused(code, message);
}

const ErrorBody = Type.Object({
  responseStatus: Type.Object({ code: Type.String(), message: Type.String() }),
});
const ErrorMessage = Type.Object({ errorMessage: Type.String() });

/** The network's error text. It may quote the request, so runs of digits are removed. */
export function errorOf({ json }: HttpReply): { code: string; message: string } {
  if (Value.Check(ErrorBody, json)) {
    const { code, message } = json.responseStatus;
    return { code, message: withoutNumbers(message) };
  }
  const message = Value.Check(ErrorMessage, json) ? json.errorMessage : '';
  return { code: '', message: withoutNumbers(message) };
}

const withoutNumbers = (text: string): string =>
  text.replace(/\d(?:[ -]?\d){6,}/g, '[number]').slice(0, 200);

export const identifier = (value: string | number): string => String(value).padStart(15, '0');
