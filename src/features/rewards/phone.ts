import { Type } from 'typebox';
import { fail } from '#kernel/http/error.ts';
import { explained, text } from '#kernel/http/schema.ts';

/** A phone number as people write it; `phoneFrom` checks whether it is one. */
export const PhoneInput = explained(
  Type.String({ ...text(40), examples: ['+6281234567890'] }),
  'With its country code, or as it is dialled within the app’s own country',
);

/**
 * A phone number in the one form it is kept in: `+` and 6 to 15 digits. `0812…` is a number of the
 * country with that dial code, `0062…` and `62…` begin with a country code. Undefined for no number.
 */
export function canonicalPhone(text: string, dialCode: string): string | undefined {
  const trimmed = text.trim();
  if (!/^\+?[0-9 ().-]+$/.test(trimmed)) return undefined;
  const digits = trimmed.replace(/\D/g, '');
  const whole = trimmed.startsWith('+') ? digits : international(digits, dialCode);
  return /^[1-9]\d{5,14}$/.test(whole) ? `+${whole}` : undefined;
}

/** The same for what a request must have; 400 for what is no phone number. */
export function phoneFrom(text: string, dialCode: string): string {
  const phone = canonicalPhone(text, dialCode);
  if (phone === undefined) throw fail('VALIDATION_ERROR', 'Phone number is not valid');
  return phone;
}

function international(digits: string, dialCode: string): string {
  if (digits.startsWith('00')) return digits.slice(2);
  return digits.startsWith('0') ? `${dialCode}${digits.slice(1)}` : digits;
}
