import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { ArchiveFile, ArchiveManifest } from './manifest.ts';

/** Only the operator's account reads it: it has personal data. */
const PRIVATE = 0o600;

/** Writes lines to a new file, and answers how many and their hash. It refuses to write over a file. */
export async function writeLines(
  path: string,
  batches: AsyncIterable<readonly string[]>,
): Promise<ArchiveFile> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', PRIVATE);
  let rows = 0;
  try {
    for await (const lines of batches) {
      const text = lines.map((line) => `${line}\n`).join('');
      hash.update(text);
      await file.writeFile(text);
      rows += lines.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { rows, sha256: hash.digest('hex') };
}

/** The lines of a file and their hash as they are; undefined where it is missing. */
export async function hashLines(path: string): Promise<ArchiveFile | undefined> {
  const hash = createHash('sha256');
  let rows = 0;
  try {
    for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(part);
      for (let at = part.indexOf(NEW_LINE); at !== -1; at = part.indexOf(NEW_LINE, at + 1))
        rows += 1;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return { rows, sha256: hash.digest('hex') };
}
const NEW_LINE = 10;

/** The lines of a file, one at a time. */
export const linesIn = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });

/** The hash of a manifest's content: fields in the order of their writing. */
export function hashManifest(manifest: Omit<ArchiveManifest, 'sha256'>): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}
