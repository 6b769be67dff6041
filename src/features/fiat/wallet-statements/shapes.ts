import { type Static, Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, Id, Nullable, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { objectId } from '#kernel/object-id.ts';
import { type StatementEntry, type StatementHead, statedAmount } from './statement.ts';

const Day = Type.String({ examples: ['2026-11-01'] });

const Sum = named('StatementSum', {
  count: Type.Integer(),
  amount: explained(Type.String(), 'Never below zero'),
});

const HEAD = {
  wallet_id: Id,
  currency: Type.String(),
  holder: explained(
    Type.String(),
    'The name that the person was verified by, else the user’s name',
  ),
  issuer: explained(Type.String(), 'The client’s name'),
  from: explained(Day, 'The first day'),
  to: explained(Day, 'The last day, which it includes'),
  time_zone: explained(Type.String(), 'To which the days belong'),
  as_of: explained(
    Timestamp,
    'The last moment that it covers: the end of the last day, or the present before that, or `at`',
  ),
  opening_balance: Type.String(),
  closing_balance: Type.String(),
  credits: explained(Sum, 'What has come'),
  debits: explained(Sum, 'What has left'),
  digest: explained(
    Type.String(),
    'SHA-256 of what the ledger has of it; in all formats the same, and the header `x-statement-digest`',
  ),
};

export const StatementLineOfDays = named('WalletStatementEntry', {
  seq: explained(
    Type.Integer(),
    'As in the wallet’s transactions; what only sets money aside is no entry',
  ),
  booked_at: Timestamp,
  type: Type.String(),
  reference: explained(Type.String(), 'As in the wallet’s transactions'),
  caller_reference: explained(TextOrNull, 'What its caller calls the payment'),
  payment_id: explained(Nullable(objectIdField('pay')), 'In the list of payments'),
  counterparty: named('StatementCounterparty', { name: TextOrNull, detail: TextOrNull }),
  description: explained(TextOrNull, 'A text where the type says too little: of corrections'),
  amount: explained(Type.String(), 'Below zero where it has left'),
  balance_after: Type.String(),
});

export const ShownStatement = named('WalletStatement', {
  ...HEAD,
  entries: explained(Type.Array(StatementLineOfDays), 'Oldest first'),
});

type Shown = Static<typeof ShownStatement>;

export function shownHead(head: StatementHead): Omit<Shown, 'entries'> {
  const { wallet_id, currency, holder, issuer, from, to, time_zone, as_of, digest } = head;
  const text = (units: bigint) => statedAmount(head, units);
  return {
    wallet_id,
    currency,
    holder,
    issuer,
    from,
    to,
    time_zone,
    as_of,
    opening_balance: text(head.opening),
    closing_balance: text(head.closing),
    credits: { count: head.credits.count, amount: text(head.credits.amount) },
    debits: { count: head.debits.count, amount: text(head.debits.amount) },
    digest,
  };
}

export const shownEntry = (
  head: StatementHead,
  { seq, booked_at, kind, key, payment, description, amount, balance }: StatementEntry,
): Static<typeof StatementLineOfDays> => ({
  seq,
  booked_at,
  type: kind,
  reference: key,
  caller_reference: payment?.reference ?? null,
  payment_id: payment ? objectId('pay', payment.payment_id) : null,
  counterparty: {
    name: payment?.counterparty_name ?? null,
    detail: payment?.counterparty_detail ?? null,
  },
  description,
  amount: statedAmount(head, amount),
  balance_after: statedAmount(head, balance),
});
