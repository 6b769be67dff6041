import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Money, money } from '#kernel/money/money.ts';
import {
  done,
  type Outcome,
  type ProviderReply,
  refused,
  unknown,
} from '../../kernel/provider-call.ts';
import { APPROVED, DUPLICATE } from './action-codes.ts';
import { terminalOf } from './merchant.ts';
import {
  type CardCurrency,
  FIRST_TERMINAL,
  type FoundTransaction,
  type Merchant,
  type Trace,
} from './port.ts';
import {
  ApprovalCode,
  auditNumber,
  currencyOf,
  DateTime,
  declined,
  errorOf,
  Identifier,
  identifier,
} from './wire.ts';

const QueryReply = Type.Array(
  Type.Object({
    transactionIdentifier: Identifier,
    retrievalReferenceNumber: Type.String(),
    systemsTraceAuditNumber: Type.String(),
    statusCode: Type.String(),
    actionCode: Type.String(),
    approvalCode: Type.Optional(ApprovalCode),
    transactionDate: Type.String(),
    transactionTime: Type.String(),
    amountInTransactionCurrency: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    transactionCurrencyCode: Type.Optional(Type.String()),
    cardAcceptorTerminalId: Type.Optional(Type.String()),
    chargebackAmount: Type.Optional(Type.Union([Type.String(), Type.Number()])),
  }),
);
type QueryRow = Static<typeof QueryReply>[number];
/** The fields that a look-up answers only on request. */
export const QUERY_FIELDS =
  'amountInTransactionCurrency,transactionCurrencyCode,cardAcceptorTerminalId';

/** A failed look-up proves nothing about the transaction, so it is never a refusal. */
export function foundOf(
  reply: ProviderReply,
  trace: Trace,
  merchant: Merchant,
): Outcome<FoundTransaction | undefined> {
  if ('lost' in reply) return unknown(reply.lost);
  if (reply.status < 500 && /^No transactions? found/i.test(errorOf(reply).message)) {
    return done(undefined);
  }
  if (reply.status !== 200 || !Value.Check(QueryReply, reply.json)) {
    return unknown(`look-up answered ${reply.status}`);
  }
  const ours = reply.json.filter(
    (row) =>
      row.retrievalReferenceNumber === trace.rrn &&
      row.systemsTraceAuditNumber === auditNumber(trace) &&
      terminalOfRow(row, merchant) === trace.terminal,
  );
  // A call that arrived twice is listed once more, as a duplicate that moved nothing.
  const first = ours.find(({ actionCode }) => actionCode !== DUPLICATE) ?? ours[0];
  if (first === undefined) return unknown('look-up answered other transactions');
  const moved = ours.find(
    ({ actionCode, statusCode }) =>
      actionCode === APPROVED && statusCode !== 'FAILED' && statusCode !== 'IN_PROGRESS',
  );
  if (moved) return standing(moved);
  if (ours.some(({ statusCode }) => statusCode === 'IN_PROGRESS'))
    return unknown('still in progress');
  if (first.actionCode !== APPROVED) return declined(first.actionCode);
  return refused('DECLINED', 'The network rejected it');
}

/** A row without its terminal proves nothing, since another terminal's transaction may be behind it. */
const terminalOfRow = ({ cardAcceptorTerminalId: id }: QueryRow, merchant: Merchant) =>
  id === undefined ? FIRST_TERMINAL : terminalOf(merchant, id);

function standing(row: QueryRow): Outcome<FoundTransaction> {
  const { statusCode, amountInTransactionCurrency: amount, transactionCurrencyCode } = row;
  const transmittedAt = momentOf(row);
  if (transmittedAt === undefined) return unknown('look-up answered a time that is none');
  const moved = amount === undefined ? undefined : moneyOf(String(amount), transactionCurrencyCode);
  if (amount !== undefined && moved === undefined)
    return unknown('look-up answered an amount that is none');
  const { chargebackAmount } = row;
  const takenBack =
    chargebackAmount === undefined
      ? undefined
      : moneyOf(String(chargebackAmount), transactionCurrencyCode);
  if (chargebackAmount !== undefined && takenBack === undefined)
    return unknown('look-up answered a charge-back that is no amount');
  return done({
    transactionIdentifier: identifier(row.transactionIdentifier),
    approvalCode: row.approvalCode ?? '',
    transmittedAt,
    ...(takenBack && { takenBack }),
    status: statusCode,
    ...(moved && { money: moved }),
  });
}

/** The network's references put the year first, the answers that people quote the day. */
function momentOf({ transactionDate, transactionTime }: QueryRow): string | undefined {
  const date = transactionDate.replace(/^(\d\d)-(\d\d)-(\d{4})$/, '$3-$2-$1');
  const moment = `${date}T${transactionTime}`.slice(0, 19);
  return Value.Check(DateTime, moment) ? moment : undefined;
}

function moneyOf(amount: string, code: string | undefined): Money<CardCurrency> | undefined {
  const currency = currencyOf(code ?? '');
  try {
    return currency && money(currency, amount);
  } catch {
    return undefined;
  }
}
