import { DateTime } from 'luxon';
import {
  kindInWords,
  type StatementEntry,
  type StatementHead,
  statedAmount,
} from '../statement.ts';
import { type Measure, wrapped } from './measure.ts';

/** The page, in points: A4 with its margins, and where the table's columns are. */
export const SHEET = {
  left: 45,
  right: 550,
  top: 50,
  /** The table's first line, on the first page and on the others. */
  first: 262,
  others: 96,
  bottom: 768,
  foot: 786,
} as const;
export const COLUMNS = { date: 45, details: 118, width: 244, amount: 460, balance: 550 } as const;
export const SIZE = { text: 8, small: 6.5, line: 10.5, smallLine: 8.5, gap: 7 } as const;

const TITLE_LINES = 3;
const SMALL_LINES = 3;

/** An entry as it stands in the table. */
export interface PdfRow {
  readonly day: string;
  readonly time: string;
  readonly title: readonly string[];
  readonly small: readonly string[];
  readonly amount: string;
  readonly isOut: boolean;
  readonly balance: string;
  readonly height: number;
}

/** Text in the two fonts of the table. */
export interface TableFonts {
  readonly text: Measure;
  readonly small: Measure;
}

/** `2,134.50`. */
export function withSeparators(text: string): string {
  const [whole = '', ...digits] = text.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...digits].join('.');
}

export const dayText = (day: string): string =>
  DateTime.fromISO(day, { zone: 'utc' }).toFormat('d LLL yyyy', { locale: 'en' });

/** A moment in the statement's time zone. */
export const momentText = ({ time_zone }: StatementHead, at: string): string =>
  DateTime.fromISO(at, { zone: time_zone }).toFormat('d LLL yyyy, HH:mm:ss', { locale: 'en' });

export function rowOf(head: StatementHead, entry: StatementEntry, fonts: TableFonts): PdfRow {
  const { kind, key, booked_at, amount, balance, payment, description } = entry;
  const [day = '', time = ''] = momentText(head, booked_at).split(', ');
  const party = [payment?.counterparty_name, payment?.counterparty_detail].filter(Boolean);
  const title = [kindInWords(kind), ...party].join(' · ');
  const small = [description, payment?.reference, key].filter(Boolean).join(' · ');
  const titles = wrapped(title, COLUMNS.width, fonts.text, TITLE_LINES);
  const smalls = wrapped(small, COLUMNS.width, fonts.small, SMALL_LINES);
  return {
    day,
    time,
    title: titles,
    small: smalls,
    amount: withSeparators(statedAmount(head, amount)),
    isOut: amount < 0n,
    balance: withSeparators(statedAmount(head, balance)),
    height: titles.length * SIZE.line + smalls.length * SIZE.smallLine + SIZE.gap,
  };
}

/** Where rows go: whole, each below the one before or at the head of the next page. */
export class RowPlaces {
  page = 1;
  y: number = SHEET.first;

  /** The place of a row; `isNext` where a page begins with it. */
  take(height: number): { readonly y: number; readonly isNext: boolean } {
    const isNext = this.y + height > SHEET.bottom;
    if (isNext) {
      this.page += 1;
      this.y = SHEET.others;
    }
    const { y } = this;
    this.y += height;
    return { y, isNext };
  }
}

/** The last row: the closing balance. */
export const CLOSING_HEIGHT = 24;
