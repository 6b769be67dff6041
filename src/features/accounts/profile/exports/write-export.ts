import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Db } from '#kernel/db/db.ts';
import { rowsOfPerson } from '#kernel/person-data/person-store.ts';
import type { PersonData, PersonRows } from '#kernel/person-data/person-table.ts';

const EXPORT_FORMAT = 'archipay-person-export/1';

interface Part {
  readonly name: string;
  readonly rows: PersonRows;
}

/**
 * Everything about a person as gzipped JSON, in batches: what is in memory at a time does not grow with the rows. The
 * manifest comes last, when the rows have been counted.
 */
export function writeExport(
  db: Db,
  data: readonly PersonData[],
  who: { readonly user_id: number; readonly made_at: string },
): AsyncIterable<Buffer> {
  const text = Readable.from(exportText(partsOf(db, data, who.user_id), who.made_at));
  const packed = createGzip();
  // What fails on the way comes out of the iteration.
  pipeline(text, packed, () => undefined);
  return packed;
}

function partsOf(db: Db, data: readonly PersonData[], user_id: number): Part[] {
  return data.flatMap(({ tables, parts = [] }) => [
    ...tables.flatMap((one) =>
      typeof one.exported === 'string'
        ? []
        : [{ name: nameOf(one.table), rows: rowsOfPerson(db, one, one.exported, user_id) }],
    ),
    ...parts.map(({ name, rows }) => ({ name, rows: rows(db, user_id) })),
  ]);
}

/** A table's name without its schema. */
const nameOf = (table: string): string => table.slice(table.lastIndexOf('.') + 1);

/** A digest is of the part's text as it stands here, which `JSON.stringify` of the part gives again. */
async function* exportText(parts: readonly Part[], made_at: string): AsyncGenerator<string> {
  const written: { name: string; rows: number; sha256: string }[] = [];
  yield '{"parts":{';
  for (const [i, { name, rows }] of parts.entries()) {
    const digest = createHash('sha256');
    let count = 0;
    yield `${i === 0 ? '' : ','}${JSON.stringify(name)}:`;
    for await (const batch of rows) {
      const rowsText = batch.map((row) => JSON.stringify(row)).join(',');
      const text = `${count === 0 ? '[' : ','}${rowsText}`;
      digest.update(text);
      count += batch.length;
      yield text;
    }
    const end = count === 0 ? '[]' : ']';
    digest.update(end);
    yield end;
    written.push({ name, rows: count, sha256: digest.digest('hex') });
  }
  yield `},"manifest":${JSON.stringify({ format: EXPORT_FORMAT, made_at, parts: written })}}`;
}
