import { isAsset } from '../money/money.ts';
import { type BookLine, type BookPage, type BookWindow, LINES_MAX } from './rail.ts';

/** No reference of any provider is longer. */
const NAME_MAX = 200;
const CURSOR_MAX = 1000;
const KIND = /^[a-z][a-z0-9-]{0,39}$/;
/** More of anything than there is. */
const UNITS_END = 10n ** 30n;

/**
 * What is wrong with a page, in words; nothing when it may be a page of that window. A statement is
 * untrusted input: a page with one wrong line is refused as a whole, and its window with it.
 */
export function flawOfPage(
  page: BookPage,
  window: BookWindow,
  after: string | undefined,
): string | undefined {
  const { lines, next } = page;
  if (!Array.isArray(lines)) return 'the page has no lines';
  if (lines.length > LINES_MAX) return `the page has ${lines.length} lines`;
  if (next !== undefined && !isText(next, CURSOR_MAX)) return 'the next page has no name';
  if (next !== undefined && next === after) return 'the next page is this one';
  const seen = new Map<string, BookLine>();
  for (const line of lines) {
    const flaw = flawOfLine(line, window);
    if (flaw !== undefined) return flaw;
    const before = seen.get(line.line);
    if (before !== undefined && !isSame(before, line)) return 'one line has two contents';
    seen.set(line.line, line);
  }
  return undefined;
}

function flawOfLine(line: BookLine, { from, to }: BookWindow): string | undefined {
  if (!isText(line.line, NAME_MAX)) return 'a line has no name';
  if (!isText(line.reference, NAME_MAX)) return 'a line has no reference';
  if (!KIND.test(line.kind)) return 'a line is of no kind';
  if (!isAsset(line.asset)) return 'a line is of no asset';
  if (typeof line.units !== 'bigint') return 'a line has no amount';
  if (line.units >= UNITS_END || line.units <= -UNITS_END) return 'an amount is beyond all sense';
  // What is no date is before and after nothing.
  if (!(line.at instanceof Date && line.at >= from && line.at < to))
    return 'a line is outside of the window';
  return undefined;
}

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= most &&
  value.isWellFormed() &&
  !value.includes('\0');

const isSame = (one: BookLine, other: BookLine): boolean =>
  one.reference === other.reference &&
  one.kind === other.kind &&
  one.asset === other.asset &&
  one.units === other.units &&
  one.at.getTime() === other.at.getTime();
