import { setImmediate as breathe } from 'node:timers/promises';
import type { StatementHead, WalletStatement } from '../statement.ts';
import { drawClosing, drawFirstHead, drawFoot, drawNextHead, drawRow, type Pen } from './draw.ts';
import { fontOf, type Weight } from './fonts.ts';
import { type Measure, measureOf } from './measure.ts';
import { CLOSING_HEIGHT, RowPlaces, rowOf, SIZE, type TableFonts } from './rows.ts';

/** The statement on pages of A4. The same statement has the same bytes, and no more than a page of it is in memory. */
export async function* pdfStatement(statement: WalletStatement): AsyncGenerator<Buffer> {
  const { head } = statement;
  const pen = await newPen(head);
  const { doc } = pen;
  const fonts = tableFonts(pen);
  const pages = await countPages(statement, fonts);
  const places = new RowPlaces();
  const nextPage = (page: number) => {
    if (page > 1) drawFoot(pen, head, page - 1, pages);
    doc.addPage();
    if (page === 1) drawFirstHead(pen, head);
    else drawNextHead(pen, head);
  };
  nextPage(1);
  for await (const entries of statement.entries())
    for (const entry of entries) {
      const row = rowOf(head, entry, fonts);
      const { y, isNext } = places.take(row.height);
      if (isNext) {
        nextPage(places.page);
        yield* written(doc);
        // A long statement is much to compute, and others wait.
        await breathe();
      }
      drawRow(pen, row, y);
    }
  const { y, isNext } = places.take(CLOSING_HEIGHT);
  if (isNext) nextPage(places.page);
  drawClosing(pen, head, y);
  drawFoot(pen, head, places.page, pages);
  doc.end();
  for await (const rest of doc) yield rest as Buffer;
}

/** What is complete by now. */
function* written(doc: PDFKit.PDFDocument): Generator<Buffer> {
  for (let part = doc.read() as Buffer | null; part !== null; part = doc.read() as Buffer | null)
    yield part;
}

async function newPen({ as_of, issuer, wallet_id, from, to }: StatementHead): Promise<Pen> {
  // It takes long to load, and few ask for it.
  const { default: Document } = await import('pdfkit');
  const doc = new Document({
    autoFirstPage: false,
    size: 'A4',
    margin: 0,
    lang: 'en',
    // A font that is opened before it is registered would be opened again for each text.
    font: null,
    // Its memory would grow with the statement.
    fontLayoutCache: false,
    info: {
      Title: `Statement of wallet ${wallet_id}, ${from} to ${to}`,
      Author: issuer,
      CreationDate: new Date(as_of),
    },
  } as unknown as PDFKit.PDFDocumentOptions);
  doc.registerFont('regular', await fontOf('regular')).registerFont('bold', await fontOf('bold'));
  const widthIn = (weight: Weight) =>
    measureOf((character) => doc.font(weight).fontSize(1).widthOfString(character));
  return { doc, widths: { regular: widthIn('regular'), bold: widthIn('bold') } };
}

function tableFonts({ widths }: Pen): TableFonts {
  const at =
    (size: number): Measure =>
    (text) =>
      widths.regular(text) * size;
  return { text: at(SIZE.text), small: at(SIZE.small) };
}

/** Each page says how many there are, so that they are counted first. */
async function countPages({ head, entries }: WalletStatement, fonts: TableFonts): Promise<number> {
  const places = new RowPlaces();
  for await (const page of entries()) {
    for (const entry of page) places.take(rowOf(head, entry, fonts).height);
    await breathe();
  }
  places.take(CLOSING_HEIGHT);
  return places.page;
}
