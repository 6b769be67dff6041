import { type AppError, fail } from '../error.ts';

/**
 * Numbers of no country: satellites, networks and services all over the world, where a message costs
 * many times as much, and part of that goes to the owner of the number.
 */
const NO_COUNTRY = /^(?:8(?:00|08|7\d|8[1238])|979|991)/;
/** Every code of one or two digits; all others have three (ITU-T E.164). */
const SHORT = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** A number's digits with its country code; undefined where it is written in national format. */
export function digitsOf(phone: string): string | undefined {
  const digits = phone.replace(/\D/g, '');
  if (phone.trim().startsWith('+')) return digits;
  return digits.startsWith('00') ? digits.slice(2) : undefined;
}

/** The country code that a number begins with: `1`, `62`, `880`. */
export const dialCodeOf = (digits: string): string => SHORT.exec(digits)?.[0] ?? digits.slice(0, 3);

/** Where messages go by phone, and how many a day. */
export interface Served {
  /** Beginnings of numbers, such as `62` or `1876`, with a ceiling where one is set. */
  readonly listed: ReadonlyMap<string, number | undefined>;
}

export interface Destination {
  /** What is counted together: the listed beginning, else the country code. */
  readonly code: string;
  /** How many a day the operator allows there; undefined where nothing was said. */
  readonly most: number | undefined;
}

/** `62,65,1:500,1876:0` of the setting DIAL_CODES; an empty one serves every country. */
export const readDialCodes = (setting: string): Served => ({
  listed: new Map(
    setting
      .split(',')
      .filter(Boolean)
      .map((entry) => {
        const [code = '', most] = entry.split(':');
        return [code, most === undefined ? undefined : Number(most)];
      }),
  ),
});

/** Where a number belongs to. NUMBER_NOT_SERVED where no messages go. */
export function destinationOf({ listed }: Served, phone: string): Destination {
  const digits = digitsOf(phone);
  if (digits === undefined) {
    if (listed.size === 0) return { code: 'unknown', most: undefined };
    throw fail('NUMBER_NOT_SERVED', 'No messages are sent to numbers without a country code');
  }
  const [longest] = [...listed.keys()]
    .filter((code) => digits.startsWith(code))
    .sort((a, b) => b.length - a.length);
  const most = longest === undefined ? undefined : listed.get(longest);
  if (longest !== undefined && most !== 0) return { code: longest, most };
  const code = longest ?? dialCodeOf(digits);
  if (longest === undefined && NO_COUNTRY.test(digits))
    throw notServed(code, 'satellite and premium numbers are not served');
  if (listed.size > 0) throw notServed(code, 'this destination is not served');
  return { code, most };
}

const notServed = (code: string, why: string): AppError =>
  fail('NUMBER_NOT_SERVED', `No messages are sent to +${code} numbers: ${why}`);
