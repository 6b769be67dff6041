import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CryptoKey } from 'jose';
import type { Clock } from '#kernel/clock.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { transact } from '#kernel/transact.ts';
import { SEALED } from '../restore/sealed.ts';
import { hashLines, hashManifest, linesIn, writeLines } from './archive-files.ts';
import { sealedIn, secretsOf } from './archive-secrets.ts';
import {
  ARCHIVE_FORMAT,
  type ArchiveFile,
  type ArchiveManifest,
  MANIFEST,
  readManifest,
  SECRETS,
  tableFile,
} from './manifest.ts';
import {
  findTenant,
  pendingPayments,
  rowsOfClient,
  schemaVersion,
  sumsOfClient,
  TENANT_TABLES,
} from './rows-store.ts';

interface ExportOptions {
  readonly client_id: number;
  /** A folder that is not there yet. */
  readonly dir: string;
  readonly recipient: CryptoKey;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** One moment of all tables, in a transaction that cannot write. */
const snapshot = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  transact(db, async (tx) => {
    await run(tx, 'set transaction isolation level repeatable read, read only', []);
    await run(tx, `set local timezone = 'UTC'`, []);
    return work(tx);
  });

/**
 * Writes a client's archive: each of its tables as lines of JSON, its secrets for the receiver's key alone, and a
 * manifest with counts, hashes and the ledger's sums, which is written last. Throws where there is no such client,
 * or a secret is not opened by `MASTER_KEY`.
 */
export async function exportTenant(db: Db, options: ExportOptions): Promise<ArchiveManifest> {
  const { client_id, dir, clock } = options;
  return snapshot(db, async (tx) => {
    const client = await findTenant(tx, client_id);
    if (client === undefined) throw new Error(`There is no client ${client_id}`);
    await mkdir(dir, { mode: 0o700 });
    const at = clock.now().toISOString();
    const wanted = new Set<string>();
    const tables: Record<string, ArchiveFile> = {};
    for (const table of TENANT_TABLES) {
      const batches = noting(rowsOfClient(tx, table, client_id), wanted);
      tables[table] = await writeLines(join(dir, tableFile(table)), batches);
    }
    const secrets = await writeLines(
      join(dir, SECRETS),
      secretsOf(tx, { ...options, kinds: SEALED, wanted }),
    );
    if (wanted.size > 0) throw new Error(`${wanted.size} sealed texts are of no known kind`);
    const manifest = {
      format: ARCHIVE_FORMAT,
      client_id,
      client,
      schema: await schemaVersion(tx),
      at,
      pending_payments: await pendingPayments(tx, client_id),
      tables,
      secrets,
      sums: await sumsOfClient(tx, client_id),
    } as const;
    const whole: ArchiveManifest = { ...manifest, sha256: hashManifest(manifest) };
    await writeFile(join(dir, MANIFEST), `${JSON.stringify(whole, undefined, 2)}\n`, {
      flag: 'wx',
      mode: 0o600,
    });
    return whole;
  });
}

async function* noting(
  batches: AsyncIterable<readonly string[]>,
  wanted: Set<string>,
): AsyncGenerator<readonly string[]> {
  for await (const lines of batches) {
    for (const line of lines) for (const hash of sealedIn(line)) wanted.add(hash);
    yield lines;
  }
}

/** What is wrong with an archive by itself: a file that is missing, changed or longer. Needs no database. */
export async function checkArchive(dir: string): Promise<string[]> {
  const { sha256, ...content } = await readManifest(dir);
  const faults: string[] = [];
  if (hashManifest(content) !== sha256) faults.push(`${MANIFEST} was changed`);
  const files = Object.entries(content.tables).map(
    ([table, file]) => [tableFile(table), file] as const,
  );
  for (const [name, { rows, sha256: hash }] of [...files, [SECRETS, content.secrets] as const]) {
    const found = await hashLines(join(dir, name));
    if (found === undefined) faults.push(`${name} is missing`);
    else if (found.rows !== rows) faults.push(`${name} has ${found.rows} rows, not ${rows}`);
    else if (found.sha256 !== hash) faults.push(`${name} was changed`);
  }
  return faults;
}

/** Where the database and an archive differ: for each table its first row that does, and the sums of the ledger. */
export async function compareTenant(db: Db, dir: string, client_id: number): Promise<string[]> {
  const manifest = await readManifest(dir);
  if (manifest.client_id !== client_id)
    return [`The archive is of client ${manifest.client_id}, not ${client_id}`];
  return snapshot(db, async (tx) => {
    const schema = await schemaVersion(tx);
    if (schema !== manifest.schema)
      return [`The archive is of ${manifest.schema}, the database of ${schema}`];
    const differences: string[] = [];
    for (const table of TENANT_TABLES) {
      const batches = rowsOfClient(tx, table, client_id);
      const line = await firstDifference(join(dir, tableFile(table)), batches);
      if (line !== undefined) differences.push(`${table} differs at row ${line}`);
    }
    const sums = JSON.stringify(await sumsOfClient(tx, client_id));
    if (sums !== JSON.stringify(manifest.sums)) differences.push('The sums of the ledger differ');
    return differences;
  });
}

/** The number of the first line that is not the same on both sides. */
async function firstDifference(
  path: string,
  batches: AsyncIterable<readonly string[]>,
): Promise<number | undefined> {
  const kept = linesIn(path)[Symbol.asyncIterator]();
  let at = 0;
  let first: number | undefined;
  for await (const lines of batches)
    for (const line of lines) {
      at += 1;
      if (first === undefined && (await kept.next()).value !== line) first = at;
    }
  return first ?? ((await kept.next()).done ? undefined : at + 1);
}
