import { type Static, Type } from 'typebox';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { CurrencyField } from '#kernel/money/amount-fields.ts';
import { objectId } from '#kernel/object-id.ts';
import type { ObjectNames } from '#kernel/object-names/object-names.ts';
import { RECIPIENT_KINDS } from './requirements.ts';
import type { PaidRecipient } from './store.ts';

const detailFields = {
  bank_code: Type.Optional(text(40)),
  account_number: Type.Optional(text(60)),
  wallet_id: Type.Optional(Type.Integer()),
  network: Type.Optional(text(20)),
  address: Type.Optional(text(120)),
  tag: Type.Optional(Type.Integer()),
};

/** All fields that the schemas of rails have; which of them one needs is their business. */
export const RecipientDetailsInput = named('RecipientDetailsInput', detailFields);

export const KindField = explained(
  oneOfWords(RECIPIENT_KINDS),
  'A bank account, a wallet of a user of the same client, or an address on a chain',
);

const CHECK_RESULTS = ['MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE'] as const;
const CHECK_SOURCES = ['gateway', 'bank-host'] as const;

const Verification = named('PayeeVerification', {
  result: explained(
    oneOfWords(CHECK_RESULTS),
    'How the name compares with that of the account’s holder',
  ),
  suggested_name: explained(TextOrNull, 'The holder’s name, of a close match only'),
  checked_at: Timestamp,
  source: explained(oneOfWords(CHECK_SOURCES), 'Who was asked'),
});

export const ShownRecipient = named('Recipient', {
  recipient_id: objectIdField('rcp'),
  user_id: Type.Integer(),
  name: Type.String(),
  kind: KindField,
  country: explained(TextOrNull, 'Of a bank account: ISO 3166'),
  currency: CurrencyField,
  details: named('RecipientDetails', detailFields),
  email: TextOrNull,
  fingerprint: explained(Type.String(), 'The same for the same details of one kind'),
  verification: explained(Nullable(Verification), 'Of bank accounts'),
  usable_from: explained(Timestamp, 'Payments to it wait until then'),
  last_paid_at: Nullable(Timestamp),
  ...namesShown,
  version: explained(Type.Integer(), 'Counts changes'),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** A recipient with what its caller calls it. */
export interface NamedRecipient {
  readonly row: PaidRecipient;
  readonly names: ObjectNames;
}

/** The id by which callers know it. */
export const recipientIdOf = ({ recipient_id }: Pick<PaidRecipient, 'recipient_id'>): string =>
  objectId('rcp', recipient_id);

/** A recipient as it is answered and as events carry it. */
export const shownRecipient = ({
  row,
  names: { reference, metadata },
}: NamedRecipient): Static<typeof ShownRecipient> => ({
  recipient_id: recipientIdOf(row),
  user_id: row.user_id,
  name: row.name,
  kind: row.kind,
  country: row.country,
  currency: row.currency,
  details: row.masked as Static<typeof ShownRecipient>['details'],
  email: row.email,
  fingerprint: row.fingerprint.toString('hex'),
  verification:
    row.result === null || row.checked_at === null
      ? null
      : {
          result: row.result,
          suggested_name: row.suggested_name,
          checked_at: row.checked_at,
          source: row.source as (typeof CHECK_SOURCES)[number],
        },
  usable_from: row.usable_from,
  last_paid_at: row.last_paid_at,
  reference,
  metadata,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
