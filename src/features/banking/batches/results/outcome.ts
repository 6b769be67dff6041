import type { ObjectFailure } from '#kernel/http/declare/state-fields.ts';
import { format, type Money } from '#kernel/money/money.ts';
import type { BatchItem } from '../items-store.ts';

/** ISO's longest text for what payer and bank call something by. */
const ISO_ID_MAX = 35;

/** What the payer calls a payment in ISO's messages: our id where their reference is too long for these. */
export const endToEndIdOf = ({ reference, our_reference }: BatchItem): string =>
  reference.length <= ISO_ID_MAX ? reference : our_reference;

export const isoId = (text: string): string => text.slice(0, ISO_ID_MAX);

/** When it was in that status first, as ISO 8601. */
export const timeIn = (
  { status_times, updated_at }: Pick<BatchItem, 'status_times' | 'updated_at'>,
  status: string,
): string =>
  (status_times as Readonly<Record<string, string>>)[`${status.toLowerCase()}_at`] ?? updated_at;

export const failureOf = ({ failure }: Pick<BatchItem, 'failure'>): ObjectFailure | undefined =>
  (failure as ObjectFailure | null) ?? undefined;

/** What came back, as the row keeps it. */
export const returnOf = ({
  returned,
}: Pick<BatchItem, 'returned'>):
  | { readonly reason_code: string; readonly at: string }
  | undefined => (returned as { reason_code: string; at: string } | null) ?? undefined;

export const isoAmount = (money: Money) => ({ '@Ccy': money.asset, '#text': format(money) });

const ISO_CODE = /^[A-Z]{2}\d{2}$/;
/** Our codes in ISO's external list of reasons. */
const REASONS: Readonly<Record<string, string>> = {
  WALLET_FROZEN: 'AC06',
  INSUFFICIENT_BALANCE: 'AM04',
  RECIPIENT_UNAVAILABLE: 'AC04',
  CANCELLED: 'DS02',
};

/** A reason in ISO's form: its code, or the word that there is. */
export function isoReason(code: string): { readonly Cd: string } | { readonly Prtry: string } {
  const known = REASONS[code] ?? code;
  return ISO_CODE.test(known) ? { Cd: known } : { Prtry: isoId(known) };
}
