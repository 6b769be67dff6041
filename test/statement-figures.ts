import { extractText, getDocumentProxy } from 'unpdf';
import { elementsOf, readXml, textAt } from '#kernel/xml/xml.ts';
import type { Body, Harness, Person } from './harness.ts';

/** What all formats of a statement have: entries as amount and balance, oldest first. */
export interface Figures {
  readonly opening: string;
  readonly closing: string;
  readonly amounts: readonly string[];
  /** After each entry; camt.053 has none. */
  readonly balances?: readonly string[];
}

/** A statement in one format, as bytes. */
export async function askForStatement(
  h: Harness,
  { as, wallet_id }: { readonly as: Person; readonly wallet_id: number },
  query: Readonly<Record<string, string>>,
) {
  const path = `/wallets/fiat/${wallet_id}/statement?${new URLSearchParams(query)}`;
  const answer = await fetch(`${h.app.apiUrl()}${path}`, {
    headers: { 'x-api-key': h.key, authorization: `Bearer ${as.token}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString('utf8') };
}

export function ofJson(text: string): Figures {
  const { data } = JSON.parse(text) as Body;
  return {
    opening: data.opening_balance,
    closing: data.closing_balance,
    amounts: data.entries.map(({ amount }: Body) => amount),
    balances: data.entries.map(({ balance_after }: Body) => balance_after),
  };
}

/** The cells of each line of a table without line ends in cells. */
export const cellsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );

export function ofCsv(text: string): Figures {
  const [head = [], ...rows] = cellsOf(text);
  const column = (name: string) => rows.map((row) => row[head.indexOf(name)] ?? '');
  const balances = column('balance_after');
  return {
    opening: balances[0] ?? '',
    closing: balances.at(-1) ?? '',
    amounts: column('amount').slice(1, -1),
    balances: balances.slice(1, -1),
  };
}

export function ofCamt053(text: string): Figures {
  const [statement] = elementsOf(readXml(text), 'Document', 'BkToCstmrStmt', 'Stmt');
  const signed = (node: Parameters<typeof textAt>[0]) => {
    const amount = textAt(node, 'Amt') ?? '';
    return textAt(node, 'CdtDbtInd') === 'DBIT' ? `-${amount}` : amount;
  };
  const [opening, closing] = elementsOf(statement, 'Bal');
  return {
    opening: signed(opening),
    closing: signed(closing),
    amounts: elementsOf(statement, 'Ntry').map(signed),
  };
}

/** The texts of each page. */
export async function textsOfPdf(bytes: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
  return text;
}

const MONEY = /-?\d[\d,]*\.\d{2}/g;

/** In reading order: the four sums of the first page, an amount and a balance of each row, the closing balance. */
export async function ofPdf(bytes: Buffer): Promise<Figures> {
  const pages = await textsOfPdf(bytes);
  const figures = pages
    .flatMap((page) => page.match(MONEY) ?? [])
    .map((one) => one.replaceAll(',', ''));
  const [opening = '', , , closing = '', ...rows] = figures.slice(0, -1);
  if (figures.at(-1) !== closing) throw new Error('The last balance is not the closing balance');
  return {
    opening,
    closing,
    amounts: rows.filter((_, n) => n % 2 === 0),
    balances: rows.filter((_, n) => n % 2 === 1),
  };
}
