import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { money } from '#kernel/money/money.ts';
import { done, type Outcome, type ProviderReply, unknown } from '../../kernel/provider-call.ts';
import { terminalOf } from './merchant.ts';
import {
  type Cleared,
  type Clearing,
  type ClearingWindow,
  FIRST_TERMINAL,
  type Merchant,
} from './port.ts';
import { currencyOf, DateTime, dateTime, Identifier, identifier } from './wire.ts';

/** The network's clearing records of an acquirer, in pages. */
export const CLEARING = '/visadirect/reports/v1/clearingrecords';

/** A record's names of the kinds of transactions. */
export const TYPES = {
  pull: 'SALES DRAFT',
  push: 'CRED VOUCHER',
  reversal: 'SALES REVERSAL',
  chargeback: 'SALES CHARGEBACK',
  representment: 'SALES CHARGEBACK REVERSAL',
} as const;

/** One record: money of an approved transaction, credited (C) or debited (D) to the acquirer. */
const Record = Type.Object({
  transactionIdentifier: Identifier,
  retrievalReferenceNumber: Type.String({ pattern: '^\\d{12}$' }),
  systemsTraceAuditNumber: Type.String({ pattern: '^\\d{6}$' }),
  transactionType: Type.String(),
  transactionAmount: Type.String({ pattern: '^(0|[1-9]\\d{0,15})(\\.\\d{1,3})?$' }),
  transactionCurrencyCode: Type.String(),
  debitCreditIndicator: Type.Union([Type.Literal('C'), Type.Literal('D')]),
  transmissionDateTime: DateTime,
  cardAcceptorTerminalId: Type.Optional(Type.String()),
});
export type ClearingRecord = Static<typeof Record>;

const Records = Type.Object({
  clearingRecords: Type.Array(Record),
  nextPageKey: Type.Optional(Type.String()),
});

/** The network counts in seconds: a time within the window to the millisecond is within it to the second. */
export const clearingQuery = ({ from, to }: ClearingWindow, after: string | undefined) => ({
  fromDateTime: dateTime(upToSecond(from)),
  toDateTime: dateTime(upToSecond(to)),
  ...(after === undefined ? {} : { pageKey: after }),
});

const upToSecond = (at: Date): Date => new Date(Math.ceil(at.getTime() / 1000) * 1000);

/** A partly readable page is refused: a dropped record would count as missing. */
export function clearingOf(reply: ProviderReply, merchant: Merchant): Outcome<Clearing> {
  if ('lost' in reply) return unknown(reply.lost);
  const { status, json } = reply;
  if (status !== 200) return unknown(`clearing records answered ${status}`);
  if (!Value.Check(Records, json)) return unknown('clearing records of another shape');
  const cleared = json.clearingRecords.map((record) => clearedOf(record, merchant));
  if (!cleared.every((one) => one !== undefined))
    return unknown('a clearing record of another kind');
  const { nextPageKey } = json;
  return done({ cleared, ...(nextPageKey === undefined ? {} : { next: nextPageKey }) });
}

function clearedOf(record: ClearingRecord, merchant: Merchant): Cleared | undefined {
  const kinds = Object.keys(TYPES) as (keyof typeof TYPES)[];
  const kind = kinds.find((one) => TYPES[one] === record.transactionType);
  const currency = currencyOf(record.transactionCurrencyCode);
  const { cardAcceptorTerminalId: id } = record;
  const terminal = id === undefined ? FIRST_TERMINAL : terminalOf(merchant, id);
  if (kind === undefined || currency === undefined || terminal === undefined) return undefined;
  try {
    return {
      transactionIdentifier: identifier(record.transactionIdentifier),
      rrn: record.retrievalReferenceNumber,
      terminal,
      kind,
      money: money(currency, record.transactionAmount),
      isCredit: record.debitCreditIndicator === 'C',
      at: new Date(`${record.transmissionDateTime}Z`),
    };
  } catch {
    return undefined;
  }
}
