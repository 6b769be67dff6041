import type { Given } from './intent.ts';

/**
 * The parameters that the user has really written. A model that was wrong, or turned, can name any address
 * and any amount; these are kept only where the user's own words have them.
 */
export function grounded(proposed: Given, said: readonly string[]): Given {
  const text = said.join('\n').toLowerCase();
  const amounts = new Set(said.flatMap(amountsIn));
  const isKept = (name: string, value: string): boolean => {
    if (ADDRESSES.has(name)) return text.includes(value.toLowerCase());
    return name !== 'amount' || amounts.has(plain(value));
  };
  return Object.fromEntries(
    Object.entries(proposed).filter(([name, value]) => isKept(name, value)),
  );
}

const ADDRESSES: ReadonlySet<string> = new Set([
  'to_address',
  'recipient_address',
  'token_address',
]);

/** Every amount that a number in the text may stand for: its last mark is a decimal one, or none is. */
function amountsIn(text: string): string[] {
  const numbers = text.match(/\d[\d.,]*/g) ?? [];
  return numbers.flatMap((number) => {
    const written = number.replace(/[.,]+$/, '');
    const [whole = '', part] = splitAtLast(written);
    const decimal = part === undefined ? whole : `${whole}.${part}`;
    // Nobody parts thousands behind a zero.
    return written.startsWith('0') ? [plain(decimal)] : [plain(decimal), plain(digits(written))];
  });
}

const digits = (text: string): string => text.replaceAll(/[.,]/g, '');

function splitAtLast(number: string): [string, string?] {
  const at = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','));
  return at < 0 ? [number] : [digits(number.slice(0, at)), number.slice(at + 1)];
}

/** One text for one number: no zeros in front of it, none at the end of its fraction. */
function plain(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const kept = fraction.replace(/0+$/, '');
  const unpadded = whole.replace(/^0+(?=\d)/, '');
  return kept === '' ? unpadded : `${unpadded}.${kept}`;
}
