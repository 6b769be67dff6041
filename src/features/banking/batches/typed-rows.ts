import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { REFERENCE, REFERENCE_MAX } from '#kernel/caller-names.ts';
import { money, SCALE } from '#kernel/money/money.ts';
import { keptText } from '#kernel/names.ts';
import { uuidOfObjectId } from '#kernel/object-id.ts';
import type { RowError } from './store.ts';

/** A line as it was sent, in whichever format: any value may stand in it. */
export interface SentRow {
  readonly line: number;
  readonly recipient_id?: unknown;
  readonly recipient?: SentRecipient | undefined;
  readonly amount?: unknown;
  readonly reference?: unknown;
  readonly note?: unknown;
  /** Of the amount, where the format has one. */
  readonly currency?: string;
  /** The line itself cannot be read. */
  readonly fault?: string;
}

export interface SentRecipient {
  readonly name?: unknown;
  readonly kind?: unknown;
  readonly country?: unknown;
  readonly currency?: unknown;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** A line whose own values are right; whom it pays is not looked at yet. */
export interface TypedRow {
  readonly line: number;
  readonly recipient_id: string | undefined;
  readonly recipient: SentRecipient | undefined;
  readonly units: bigint;
  readonly reference: string | undefined;
  readonly note: string | null;
}

/** Thrown for one row: it says which field is wrong. */
export class WrongRow extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

export const isLeftOut = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const DECIMAL = /^(0|[1-9]\d{0,14})(\.\d{1,18})?$/;

/** Throws WrongRow with the first fault. */
export function typedRow(row: SentRow, currency: Fiat): TypedRow {
  const { line, recipient, recipient_id } = row;
  if (row.fault !== undefined) throw new WrongRow('row', row.fault);
  if (row.currency !== undefined && row.currency !== currency)
    throw new WrongRow('currency', `CURRENCY_MISMATCH: It has to be paid in ${currency}`);
  const named = isLeftOut(recipient_id) ? undefined : String(recipient_id).trim();
  if ((named === undefined) === (recipient === undefined))
    throw new WrongRow('recipient_id', 'exactly one of recipient_id and recipient is required');
  const uuid = named === undefined ? undefined : uuidOfObjectId('rcp', named);
  if (named !== undefined && uuid === undefined)
    throw new WrongRow('recipient_id', 'is no id of a recipient');
  return {
    line,
    recipient_id: uuid,
    recipient,
    units: unitsOf(row.amount, currency),
    reference: referenceOf(row.reference),
    note: noteOf(row.note),
  };
}

function unitsOf(sent: unknown, currency: Fiat): bigint {
  if (isLeftOut(sent)) throw new WrongRow('amount', 'is required');
  const text = typeof sent === 'number' ? String(sent) : sent;
  const digits = typeof text === 'string' ? text.trim() : '';
  const isExact = typeof sent !== 'number' || digits.replace('.', '').length <= 15;
  if (!DECIMAL.test(digits) || !/[1-9]/.test(digits) || !isExact)
    throw new WrongRow('amount', 'must be a positive decimal number, such as "12.50"');
  const [, fraction = ''] = digits.split('.');
  if (fraction.length > SCALE[currency])
    throw new WrongRow(
      'amount',
      `must have at most ${SCALE[currency]} digits after the point in ${currency}`,
    );
  return money(currency, digits).units;
}

const NAMES = new RegExp(REFERENCE);

function referenceOf(sent: unknown): string | undefined {
  if (isLeftOut(sent)) return undefined;
  const text = typeof sent === 'string' || typeof sent === 'number' ? String(sent) : '';
  if (!NAMES.test(text) || text.length > REFERENCE_MAX)
    throw new WrongRow(
      'reference',
      `must be 1 to ${REFERENCE_MAX} printable ASCII characters without blanks`,
    );
  return text;
}

const NOTE_MAX = 140;

function noteOf(sent: unknown): string | null {
  if (isLeftOut(sent)) return null;
  const text = typeof sent === 'string' ? keptText(sent) : undefined;
  if (text === undefined || [...text].length > NOTE_MAX)
    throw new WrongRow('note', `must be text of at most ${NOTE_MAX} characters`);
  return text;
}

/** What is wrong with rows: the first so many are kept. */
export class RowErrors {
  readonly kept: RowError[] = [];
  add(line: number, field: string, message: string): void {
    if (this.kept.length < ERRORS_MAX) this.kept.push({ line, field, message });
  }
  /** By their lines. */
  sorted(): RowError[] {
    return this.kept.toSorted((a, b) => a.line - b.line);
  }
}

const ERRORS_MAX = 1000;
