import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { Type } from 'typebox';
import { wrongField } from './error.ts';
import { explained, text } from './http/declare/schema.ts';

/** A phone number as people write it; `requirePhone` brings it into its one form. */
export const PhoneInput = explained(
  Type.String({ ...text(40), examples: ['+12025550100'] }),
  'With its country code, or as people dial it in the country of the client',
);

/** Where a number without a country code belongs: a country (ISO 3166-1), or a country code such as `62`. */
export type PhoneHome = { readonly country: string } | { readonly dialCode: string };

/**
 * A phone number in the one form in which it is stored and compared: `+`, country code and national number (E.164).
 * Digits of any script, the zero that people dial within a country and marks of direction make no difference.
 * Undefined for letters, extensions and for what cannot be a number of that country.
 */
export function canonicalPhone(given: string, home: PhoneHome): string | undefined {
  const written = given.normalize('NFKC').replace(INVISIBLE, '').trim().replace(/^00/, '+');
  if (!WRITTEN.test(written)) return undefined;
  const number = parsePhoneNumberFromString(written, { ...defaultOf(home), extract: false });
  if (number?.ext !== undefined) return undefined;
  const isNumber = written.startsWith('+') ? number?.isPossible() : number?.isValid();
  if (number && isNumber) return E164.test(number.number) ? number.number : undefined;
  // A numbering plan may be newer than the library's, so that a whole number with its country code counts.
  const digits = written.replace(/\D/g, '');
  if (written.startsWith('+')) return E164.test(`+${digits}`) ? `+${digits}` : undefined;
  // Many people leave the plus out. That counts only where the home has no number like it.
  const abroad = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  return abroad?.isValid() ? abroad.number : undefined;
}

/** The same for a field that must have a number. Throws VALIDATION_ERROR. */
export function requirePhone(given: string, home: PhoneHome, field = 'phone'): string {
  const phone = canonicalPhone(given, home);
  if (phone !== undefined) return phone;
  throw wrongField(field, 'must be a phone number with its country code', {
    said: 'Phone number is not valid',
    hint: 'Write the number with its country code, such as +12025550100.',
  });
}

/** Format characters, which messengers put around a number that is copied. */
const INVISIBLE = /\p{Cf}/gu;
/** Digits and the marks between them; letters, `#`, `,` and `;` would be lost or dial something else. */
const WRITTEN = /^\+?[\p{Nd} ().\-–—‐/]+$/u;
const E164 = /^\+[1-9]\d{4,14}$/;

const defaultOf = (home: PhoneHome) => {
  if ('dialCode' in home) return { defaultCallingCode: home.dialCode };
  return isSupportedCountry(home.country) ? { defaultCountry: home.country } : {};
};

/** `+62 812 ••• 34`: enough for its owner to know it. Of a number in its one form. */
export function maskedPhone(phone: string): string {
  const code = parsePhoneNumberFromString(phone)?.countryCallingCode ?? phone.slice(1, 3);
  const rest = phone.slice(1 + code.length);
  return `+${code} ${rest.slice(0, Math.min(3, Math.max(0, rest.length - 5)))} ••• ${rest.slice(-2)}`;
}
