import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** A file of the console, as it is sent. */
export interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  /** By brotli; undefined where that would not make it shorter. */
  readonly packed: Buffer | undefined;
  readonly etag: string;
  /** Its name says what is in it, so that no browser asks for it again. */
  readonly isLasting: boolean;
}
/** By their paths below `/console/`: what is not among them is not there, whatever a path says. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

export const INDEX = 'index.html';

const Manifest = Type.Object({
  files: Type.Array(
    Type.Object({
      path: Type.String({ pattern: '^(?!.*\\.\\.)\\w[\\w.-]*(/\\w[\\w.-]*)*$' }),
      type: Type.String({ pattern: '^[\\w.+-]+/[\\w.+-]+(; ?charset=[\\w-]+)?$' }),
    }),
  ),
});

/** The name ends in what the builder has made of the content. */
const HASHED = /-(?=[\w-]*[A-Z0-9])[\w-]{8,}\.\w+$/;
const MARK_LENGTH = 22;
const pack = promisify(brotliCompress);

/** The files that are in the folder now: a new build needs no new start of the service. */
export function consoleFiles(folder: () => Promise<string>): () => Promise<ConsoleFiles> {
  let known: { readonly made: number; readonly files: Promise<ConsoleFiles> } | undefined;
  return async () => {
    const place = await folder();
    const { mtimeMs: made } = await stat(join(place, 'manifest.json'));
    if (known?.made !== made) known = { made, files: readFiles(place) };
    const { files } = known;
    return files.catch((error: unknown) => {
      if (known?.files === files) known = undefined;
      throw error;
    });
  };
}

async function readFiles(folder: string): Promise<ConsoleFiles> {
  const listed = Value.Parse(
    Manifest,
    JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')),
  );
  const files = await Promise.all(
    listed.files.map(
      async ({ path, type }) => [path, await read(join(folder, path), type)] as const,
    ),
  );
  const found = new Map(files);
  if (!found.has(INDEX)) throw new Error(`The console has no ${INDEX}`);
  return found;
}

async function read(path: string, type: string): Promise<ConsoleFile> {
  const plain = await readFile(path);
  const packed = await pack(plain);
  return {
    type,
    plain,
    packed: packed.length < plain.length ? packed : undefined,
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, MARK_LENGTH)}"`,
    isLasting: HASHED.test(path),
  };
}
