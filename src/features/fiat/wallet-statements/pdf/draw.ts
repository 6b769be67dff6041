import { type StatementHead, statedAmount } from '../statement.ts';
import type { Weight } from './fonts.ts';
import { cut, type Measure, wrapped } from './measure.ts';
import {
  CLOSING_HEIGHT,
  COLUMNS,
  dayText,
  momentText,
  type PdfRow,
  SHEET,
  SIZE,
  withSeparators,
} from './rows.ts';

const INK = { text: '#1a1f2b', soft: '#5c6675', line: '#d5dae1', band: '#eef1f5', out: '#1a1f2b' };

/** A long name of the client is written smaller, and cut where that is not enough. */
const ISSUER = { size: 17, least: 11 } as const;
/** A fact about the statement has one line, or two small ones. */
const FACT = { size: 9, small: 7.5, width: 235 } as const;

/** What a page is drawn with. */
export interface Pen {
  readonly doc: PDFKit.PDFDocument;
  /** The width of a text in points at a size of one point. */
  readonly widths: Readonly<Record<Weight, Measure>>;
}

interface Style {
  readonly size?: number;
  readonly weight?: Weight;
  readonly ink?: string;
  /** The text ends there instead of beginning there. */
  readonly isRight?: boolean;
  /** The space that it has: it becomes smaller to fit. */
  readonly width?: number;
}

function write(pen: Pen, text: string, [x, y]: readonly [x: number, y: number], style: Style = {}) {
  const { weight = 'regular', ink = INK.text, isRight = false, width } = style;
  const wanted = style.size ?? SIZE.text;
  const measure = pen.widths[weight];
  const size =
    width === undefined ? wanted : Math.min(wanted, width / Math.max(measure(text), 1e-9));
  const left = isRight ? x - measure(text) * size : x;
  pen.doc
    .font(weight)
    .fontSize(size)
    .fillColor(ink)
    .text(text, left, y + (wanted - size) / 2, { lineBreak: false, features: [] });
}

const rule = ({ doc }: Pen, y: number, ink: string = INK.line) =>
  doc.moveTo(SHEET.left, y).lineTo(SHEET.right, y).lineWidth(0.6).strokeColor(ink).stroke();

/** The text, cut where it is wider than that at that size. */
const fitting = (
  pen: Pen,
  text: string,
  { width, size, weight = 'regular' }: Required<Pick<Style, 'width' | 'size'>> & Style,
) => cut(text, width, (part) => pen.widths[weight](part) * size);

/** The letter head, whose account it is, and the sums. */
export function drawFirstHead(pen: Pen, head: StatementHead): void {
  const { issuer, holder, wallet_id, currency, from, to, time_zone } = head;
  write(
    pen,
    fitting(pen, issuer, { width: 350, size: ISSUER.least, weight: 'bold' }),
    [SHEET.left, SHEET.top],
    {
      size: ISSUER.size,
      weight: 'bold',
      width: 350,
    },
  );
  write(pen, 'Account statement', [SHEET.right, SHEET.top + 4], {
    size: 12,
    isRight: true,
    ink: INK.soft,
  });
  rule(pen, SHEET.top + 30, INK.text);
  const facts: readonly (readonly [string, string])[] = [
    ['Account holder', holder],
    ['Wallet number', String(wallet_id)],
    ['Currency', currency],
    ['Period', `${dayText(from)} to ${dayText(to)}`],
    ['Days in', time_zone],
    ['Covers until', momentText(head, head.as_of)],
  ];
  for (const [n, [name, value]] of facts.entries()) {
    const x = n % 2 === 0 ? SHEET.left : 308;
    const y = SHEET.top + 42 + Math.floor(n / 2) * 28;
    write(pen, name, [x, y], { size: SIZE.small, ink: INK.soft });
    const lines = wrapped(value, FACT.width, (part) => pen.widths.regular(part) * FACT.small, 2);
    const size = lines.length === 1 ? FACT.size : FACT.small;
    for (const [line, part] of lines.entries())
      write(pen, part, [x, y + 9 + line * FACT.small], { size, width: FACT.width });
  }
  drawSums(pen, head, SHEET.top + 134);
  drawColumns(pen, SHEET.first - 18);
}

function drawSums(pen: Pen, head: StatementHead, y: number): void {
  const width = (SHEET.right - SHEET.left) / 4;
  pen.doc.rect(SHEET.left, y, SHEET.right - SHEET.left, 44).fill(INK.band);
  const text = (units: bigint) => withSeparators(statedAmount(head, units));
  const sums = [
    ['Opening balance', text(head.opening)],
    [`Money in (${head.credits.count})`, text(head.credits.amount)],
    [`Money out (${head.debits.count})`, text(head.debits.amount)],
    ['Closing balance', text(head.closing)],
  ] as const;
  for (const [n, [name, value]] of sums.entries()) {
    const right = SHEET.left + (n + 1) * width - 10;
    write(pen, name, [right, y + 9], { size: SIZE.small, ink: INK.soft, isRight: true });
    write(pen, value, [right, y + 21], {
      size: 11,
      weight: 'bold',
      isRight: true,
      width: width - 16,
    });
  }
}

/** What later pages begin with. */
export function drawNextHead(pen: Pen, head: StatementHead): void {
  const title = `Wallet ${head.wallet_id} · ${head.currency} · ${dayText(head.from)} to ${dayText(head.to)}`;
  write(
    pen,
    fitting(pen, head.issuer, { width: 230, size: 9, weight: 'bold' }),
    [SHEET.left, SHEET.top],
    {
      size: 9,
      weight: 'bold',
    },
  );
  write(pen, title, [SHEET.right, SHEET.top], { isRight: true, ink: INK.soft });
  rule(pen, SHEET.top + 16, INK.text);
  drawColumns(pen, SHEET.others - 18);
}

function drawColumns(pen: Pen, y: number): void {
  const style: Style = { size: SIZE.small, weight: 'bold', ink: INK.soft };
  write(pen, 'Date', [COLUMNS.date, y], style);
  write(pen, 'Details', [COLUMNS.details, y], style);
  write(pen, 'Amount', [COLUMNS.amount, y], { ...style, isRight: true });
  write(pen, 'Balance', [COLUMNS.balance, y], { ...style, isRight: true });
  rule(pen, y + 12);
}

export function drawRow(pen: Pen, row: PdfRow, y: number): void {
  write(pen, row.day, [COLUMNS.date, y]);
  write(pen, row.time, [COLUMNS.date, y + SIZE.line], { size: SIZE.small, ink: INK.soft });
  for (const [n, line] of row.title.entries())
    write(pen, line, [COLUMNS.details, y + n * SIZE.line]);
  const below = y + row.title.length * SIZE.line;
  for (const [n, line] of row.small.entries())
    write(pen, line, [COLUMNS.details, below + n * SIZE.smallLine], {
      size: SIZE.small,
      ink: INK.soft,
    });
  write(pen, row.amount, [COLUMNS.amount, y], {
    isRight: true,
    width: COLUMNS.amount - COLUMNS.details - COLUMNS.width - 8,
    ...(!row.isOut && { weight: 'bold' as const }),
  });
  write(pen, row.balance, [COLUMNS.balance, y], {
    isRight: true,
    width: COLUMNS.balance - COLUMNS.amount - 8,
  });
  rule(pen, y + row.height - SIZE.gap / 2 - 1);
}

export function drawClosing(pen: Pen, head: StatementHead, y: number): void {
  pen.doc.rect(SHEET.left, y, SHEET.right - SHEET.left, CLOSING_HEIGHT - 6).fill(INK.band);
  const count = head.credits.count + head.debits.count;
  const title =
    count === 0 ? 'No money has moved in this time. Closing balance' : 'Closing balance';
  write(pen, title, [COLUMNS.details, y + 4], { weight: 'bold' });
  write(pen, withSeparators(statedAmount(head, head.closing)), [COLUMNS.balance, y + 4], {
    weight: 'bold',
    isRight: true,
    width: 170,
  });
}

export function drawFoot(pen: Pen, head: StatementHead, page: number, pages: number): void {
  const style: Style = { size: SIZE.small, ink: INK.soft };
  rule(pen, SHEET.foot - 6);
  write(pen, `SHA-256 ${head.digest}`, [SHEET.left, SHEET.foot], style);
  write(pen, `Page ${page} of ${pages}`, [SHEET.right, SHEET.foot], { ...style, isRight: true });
}
