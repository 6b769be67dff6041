import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** The form of archives, as docs/tenant-archive.md describes it. */
export const ARCHIVE_FORMAT = 1;

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const FileEntry = Type.Object({ rows: Type.Integer({ minimum: 0 }), sha256: Hash });
const Units = Type.String({ pattern: '^-?[0-9]+$' });

const ArchiveManifest = Type.Object({
  format: Type.Literal(ARCHIVE_FORMAT),
  client_id: Type.Integer({ minimum: 1 }),
  client: Type.String(),
  /** The newest migration of the database. */
  schema: Type.String(),
  /** When it was read: all tables at the same moment. */
  at: Type.String(),
  /** Payments that had not ended by then: their flows are not in the archive. */
  pending_payments: Type.Integer({ minimum: 0 }),
  tables: Type.Record(Type.String(), FileEntry),
  secrets: FileEntry,
  /** What the ledger held for the client's people, in whole units. */
  sums: Type.Array(
    Type.Object({
      asset: Type.String(),
      purpose: Type.String(),
      accounts: Type.Integer(),
      posted: Units,
      held: Units,
    }),
  ),
  /** SHA-256 of the manifest without this field. */
  sha256: Hash,
});
export type ArchiveManifest = Static<typeof ArchiveManifest>;
export type ArchiveFile = Static<typeof FileEntry>;

export const MANIFEST = 'manifest.json';
export const SECRETS = 'secrets.jsonl';
export const tableFile = (table: string): string => `${table}.jsonl`;

/** Throws a sentence where the folder has no archive of this form. */
export async function readManifest(dir: string): Promise<ArchiveManifest> {
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`${dir} has no ${MANIFEST}`);
  const read = parse(text);
  if (!Value.Check(ArchiveManifest, read))
    throw new Error(`${MANIFEST} is not of format ${ARCHIVE_FORMAT}`);
  return read;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
