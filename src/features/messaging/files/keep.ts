import { createHash } from 'node:crypto';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newObjectUuid } from '#kernel/object-id.ts';
import { newBytesKey, openBytes, sealBytes } from '#kernel/secrets/sealed-bytes.ts';
import { type FilePurpose, fileTermsOf, requireType } from './purposes.ts';
import {
  deleteParts,
  fileContext,
  insertFile,
  insertPart,
  readPart,
  renewFile,
  type StoredFile,
} from './store.ts';

export type FileDeps = Pick<Kernel, 'clock' | 'db' | 'vault'>;

/** A file as it comes. */
export interface IncomingFile {
  readonly client_id: number;
  /** Null where it is the client's. */
  readonly user_id: number | null;
  readonly purpose: FilePurpose;
  readonly name: string;
  readonly content_type: string;
}

const PART_BYTES = 2 ** 20;
const DAY_MS = 24 * 3_600_000;
export const KEPT_MS = 30 * DAY_MS;

const contextOf = (file_id: string, n: number): string => `${fileContext(file_id)} ${n}`;

/**
 * Keeps a file as it arrives, a part at a time. Its type is what its first bytes show. The same bytes of the same owner
 * and purpose are the first file again, kept as long as a new one: `isNew` says which. Not within a transaction.
 */
export async function keepFile(
  { clock, db, vault }: FileDeps,
  file: IncomingFile,
  bytes: AsyncIterable<Buffer>,
): Promise<{ readonly file: StoredFile; readonly isNew: boolean }> {
  const file_id = newObjectUuid(clock.now().getTime());
  const key = newBytesKey();
  const digest = createHash('sha256');
  const { most } = fileTermsOf(file.purpose);
  let size = 0;
  let n = 0;
  let content_type = file.content_type;
  try {
    for await (const part of partsOf(bytes)) {
      if (n === 0) content_type = requireType(file.purpose, content_type, part);
      size += part.length;
      if (size > most) throw tooLarge(most);
      digest.update(part);
      await insertPart(db, file_id, n, sealBytes(key, part, contextOf(file_id, n)));
      n += 1;
    }
    if (size === 0) throw fail('VALIDATION_ERROR', 'Body is empty');
    const sha256 = digest.digest();
    const at = clock.now();
    const sealed_key = vault.seal(key.toString('base64'), fileContext(file_id));
    const times = {
      created_at: at.toISOString(),
      expires_at: new Date(at.getTime() + KEPT_MS).toISOString(),
    };
    const wanted = { ...file, file_id, content_type, size, sha256, sealed_key, ...times };
    for (;;) {
      const made = await insertFile(db, wanted);
      if (made) return { file: made, isNew: true };
      const first = await renewFile(db, wanted);
      // Without a row it was deleted in the same moment, and the new one takes its place.
      if (!first) continue;
      await deleteParts(db, file_id);
      return { file: first, isNew: false };
    }
  } catch (error) {
    await deleteParts(db, file_id).catch(() => undefined);
    throw error;
  }
}

const tooLarge = (most: number) =>
  fail('PAYLOAD_TOO_LARGE', `File is too large: at most ${most / 2 ** 20} MiB`);

/** Whole parts, and what is left at the end. */
async function* partsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + PART_BYTES - length);
      chunks.push(taken);
      length += taken.length;
      at += taken.length;
      if (length === PART_BYTES) {
        yield Buffer.concat(chunks);
        chunks = [];
        length = 0;
      }
    }
  }
  if (length > 0) yield Buffer.concat(chunks);
}

/** The bytes of a file, part by part; throws where one is missing or was changed. */
export async function* openFile(
  { vault }: Pick<FileDeps, 'vault'>,
  db: Db,
  { file_id, sealed_key, size }: Pick<StoredFile, 'file_id' | 'sealed_key' | 'size'>,
): AsyncGenerator<Buffer> {
  const key = Buffer.from(vault.open(sealed_key, fileContext(file_id)), 'base64');
  for (let n = 0; n * PART_BYTES < size; n += 1) {
    const sealed = await readPart(db, file_id, n);
    if (!sealed) throw new Error(`Part ${n} of the file ${file_id} is gone`);
    yield openBytes(key, sealed, contextOf(file_id, n));
  }
}
