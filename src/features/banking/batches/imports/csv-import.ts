import { fail, wrongField } from '#kernel/error.ts';
import type { SentRow } from '../typed-rows.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';
import { type ImportedBatch, ROWS_MAX } from './imported.ts';

const OWN = ['recipient_id', 'amount', 'reference', 'note'] as const;
const RECIPIENT = ['name', 'kind', 'country', 'currency'] as const;
const DETAILS = [
  ...(['bank_code', 'account_number', 'wallet_id', 'network', 'address', 'tag'] as const),
] as const;
const KNOWN: readonly string[] = [...OWN, ...RECIPIENT, ...DETAILS];

/** The rows of a table with a head. Throws VALIDATION_ERROR where it is none, or has a column that is not known. */
export async function readCsvBatch(parts: AsyncIterable<Buffer>): Promise<ImportedBatch> {
  const rows: SentRow[] = [];
  let head: readonly string[] | undefined;
  for await (const record of csvRecords(parts)) {
    const isBlank = record.cells.every((cell) => cell.trim() === '');
    if (head === undefined) head = requireHead(record);
    else if (!isBlank) {
      if (rows.length >= ROWS_MAX)
        throw fail('VALIDATION_ERROR', `A batch has at most ${ROWS_MAX} rows`);
      rows.push(rowOf(head, record));
    }
  }
  if (rows.length === 0) throw fail('VALIDATION_ERROR', 'The file has no row below its head');
  return { rows };
}

function requireHead({ cells }: CsvRecord): readonly string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const unknown = names.filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0)
    throw fail('VALIDATION_ERROR', `Unknown column ${unknown[0]?.slice(0, 50)}`, {
      details: unknown.map((name) => ({ field: name.slice(0, 50), message: 'is no column' })),
      hint: `Columns are ${KNOWN.join(', ')}.`,
    });
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw wrongField(twice, 'is a column twice');
  for (const needed of ['amount', names.includes('recipient_id') ? 'amount' : 'name'])
    if (!names.includes(needed)) throw wrongField(needed, 'is a column that is required');
  return names;
}

function rowOf(head: readonly string[], { line, cells, fault }: CsvRecord): SentRow {
  if (fault !== undefined) return { line, fault };
  if (cells.length !== head.length)
    return { line, fault: `has ${cells.length} cells, and the head has ${head.length}` };
  const of = (name: string): string | undefined => {
    const at = head.indexOf(name);
    const text = at < 0 ? '' : (cells[at] ?? '').trim();
    return text === '' ? undefined : text;
  };
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (of(name) === undefined ? [] : [[name, of(name)]])));
  const details = pick(DETAILS);
  const recipient = { ...pick(RECIPIENT), details };
  const isTyped = Object.keys(recipient).length > 1 || Object.keys(details).length > 0;
  return { line, ...pick(OWN), ...(isTyped && { recipient }) };
}
