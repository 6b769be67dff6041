import { fail, wrongField } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { objectId } from '#kernel/object-id.ts';
import { transact } from '#kernel/transact.ts';
import type { BatchDeps } from '../deps.ts';
import { readCsvBatch } from './csv-import.ts';
import type { ImportedBatch } from './imported.ts';
import { readPainBatch } from './pain-import.ts';

/** As which types a batch is sent. */
export const IMPORT_TYPES = ['text/csv', 'application/xml', 'text/xml'] as const;
export const IMPORT_BYTES_MAX = 16 * 2 ** 20;

/** A batch as it arrives: a table is read as it comes, a message of ISO 20022 as a whole. */
export async function readImport(
  content_type: string,
  parts: AsyncIterable<Buffer>,
): Promise<ImportedBatch> {
  const type = content_type.split(';')[0]?.trim().toLowerCase();
  if (type === 'text/csv') return readCsvBatch(within(parts));
  if (type === 'application/xml' || type === 'text/xml')
    return readPainBatch(await wholeText(within(parts)));
  throw fail('UNSUPPORTED_MEDIA_TYPE', 'A batch is a CSV table or a pain.001', {
    hint: `Send one of ${IMPORT_TYPES.join(', ')}.`,
  });
}

/** The same of a file that was sent before, within the caller's own. Throws NOT_FOUND. */
export async function readImportedFile(
  { db, files }: Pick<BatchDeps, 'db' | 'files'>,
  { user_id }: Pick<UserCaller, 'user_id'>,
  file_id: string,
): Promise<ImportedBatch> {
  const file = await transact(db, (tx) => files.hold(tx, { user_id }, file_id));
  if (!file) throw fail('NOT_FOUND', `File ${objectId('fil', file_id)} not found`);
  if (file.purpose !== 'batch_import')
    throw wrongField('file_id', 'must be of a file with the purpose batch_import');
  return readImport(file.content_type, files.read(db, file));
}

async function* within(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > IMPORT_BYTES_MAX) throw fail('PAYLOAD_TOO_LARGE', 'File is too large');
    yield part;
  }
}

async function wholeText(parts: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(all));
  } catch {
    throw fail('VALIDATION_ERROR', 'The file is not UTF-8');
  }
}
