/** What a written number says: digits only, and neither point nor group mark. */
export interface NumberReading {
  readonly whole: string;
  /** As written, with its zeros; empty where there is none. */
  readonly fraction: string;
}

const NUMBER = /^\d(?:[\d.,' ]*\d)?$/;

/**
 * All that a number may mean in one usage or another: `1.000` is one or a thousand, `1.000,50` is one
 * number only, `5.5.5` is none. Marks part thousands in threes, with `byTwos` also as in 1,23,456; a point
 * or comma that occurs once and last may begin the fraction. Zeros in front are no usage.
 */
export function readingsOf(written: string, byTwos = false): readonly NumberReading[] {
  if (!NUMBER.test(written)) return [];
  const at = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','));
  const head = written.slice(0, at);
  const isOnce = at >= 0 && !head.includes(written.charAt(at));
  const candidates: readonly (readonly [string, string])[] = [
    [written, ''],
    ...(isOnce ? ([[head, written.slice(at + 1)]] as const) : []),
  ];
  return candidates.flatMap(([text, fraction]) => {
    const whole = ungrouped(text, byTwos);
    return whole === undefined || /\D/.test(fraction) ? [] : [{ whole, fraction }];
  });
}

/** The digits of a whole amount; nothing where they are not grouped as one. */
function ungrouped(text: string, byTwos: boolean): string | undefined {
  const [mark, ...others] = new Set(text.replace(/\d/g, ''));
  if (others.length > 0) return undefined;
  const digits = text.replace(/\D/g, '');
  if (digits === '' || (digits.length > 1 && digits.startsWith('0'))) return undefined;
  if (mark === undefined) return digits;
  const [first = '', ...groups] = text.split(mark);
  const last = groups.pop();
  const isGrouped = (head: RegExp, size: number): boolean =>
    head.test(first) && last?.length === 3 && groups.every((group) => group.length === size);
  return isGrouped(/^\d{1,3}$/, 3) || (byTwos && isGrouped(/^\d{1,2}$/, 2)) ? digits : undefined;
}

/** One text for one number: `1` for `1.000`, no zeros in front, none at the end of the fraction. */
export function plainDecimal(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const kept = fraction.replace(/0+$/, '');
  const unpadded = whole.replace(/^0+(?=\d)/, '');
  return kept === '' ? unpadded : `${unpadded}.${kept}`;
}

/** Plain decimal text that has one reading only: `1.2340`, since 1.234 may be a thousand. */
export const unmistakable = (plain: string): string =>
  readingsOf(plain).length > 1 ? `${plain}0` : plain;

/**
 * Text with the wide and compatible forms of letters and marks as plain ones, and wide digits as digits. Other
 * characters for numbers (½, ², ٥) stay what they are: 5² is not 52.
 */
export const plainForms = (text: string): string =>
  text
    .replace(/[^\p{N}]+/gu, (marks) => marks.normalize('NFKC'))
    .replace(/[\uFF10-\uFF19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));
