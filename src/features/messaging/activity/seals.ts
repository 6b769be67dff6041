import type { Db } from '#kernel/db/db.ts';
import { advanceGapFree } from '#kernel/db/gap-free.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { transact } from '#kernel/transact.ts';
import {
  insertSeal,
  LINES,
  lastSeal,
  lockSealing,
  newestLine,
  type Seal,
  sealsAfter,
  stretchOf,
} from './seal-store.ts';

/** Lines under one seal, and seals of one run; the next run takes the rest. */
const AT_ONCE = 10_000;
const MOST = 400;
const SEALS_AT_ONCE = 100;

type Marked = Omit<Seal, 'mark'>;

/**
 * The mark of those lines and all before them. It needs a key outside the database, so that a changed log cannot get
 * matching seals from the database alone.
 */
const markOf = (
  vault: Vault,
  { after, upto, lines, digest }: Marked,
  before: Buffer | undefined,
): Buffer =>
  vault.fingerprint(
    [before?.toString('hex') ?? '', after, upto, lines, digest.toString('hex')].join(' '),
    'audit seal',
  );

/** Seals the lines since the last run, and logs the newest mark, where no change of the database reaches it. */
export async function sealOnward({ db, vault, log }: Pick<Kernel, 'db' | 'vault' | 'log'>) {
  await advanceGapFree(db, LINES);
  let newest: Seal | undefined;
  for (let n = 0; n < MOST; n += 1) {
    const made = await transact(db, (tx) => sealSome(tx, vault));
    if (made === undefined) break;
    newest = made;
  }
  if (newest)
    log.info({ upto: newest.upto, seal: newest.mark.toString('hex') }, 'the audit log is sealed');
}

async function sealSome(tx: Db, vault: Vault): Promise<Seal | undefined> {
  const decided = await lockSealing(tx);
  const last = await lastSeal(tx);
  const after = last?.upto ?? 0;
  if (decided <= after) return undefined;
  const stretch = await stretchOf(tx, { after, upto: decided }, AT_ONCE);
  if (stretch === undefined) return undefined;
  const seal = { after, ...stretch };
  const made = { ...seal, mark: markOf(vault, seal, last?.mark) };
  await insertSeal(tx, made);
  return made;
}

export interface AuditVerification {
  readonly lines: number;
  readonly seals: number;
  /** Lines after the last seal, which no seal covers yet. */
  readonly unsealed: number;
  /** The newest mark, as the service's log has it. */
  readonly newest: string | undefined;
  /** A sentence for each range that does not match its seal. */
  readonly broken: readonly string[];
}

export interface Verifying {
  readonly vault: Vault;
  /** A mark from the service's log: an attacker who cuts off the end of the audit log cuts off its seals, too. */
  readonly seen?: string | undefined;
}

/** Compares the whole log with its seals, and the seals with one another, without writing. */
export async function verifyAudit(db: Db, { vault, seen }: Verifying): Promise<AuditVerification> {
  const broken: string[] = [];
  let [lines, seals, upto] = [0, 0, 0];
  let isSeen = seen === undefined;
  let before: Buffer | undefined;
  for (;;) {
    const page = await sealsAfter(db, upto, SEALS_AT_ONCE);
    for (const seal of page) {
      const fault = await faultOf(db, vault, seal, { upto, mark: before });
      if (fault) broken.push(fault);
      isSeen ||= seal.mark.toString('hex') === seen;
      ({ upto, mark: before } = seal);
      lines += seal.lines;
    }
    seals += page.length;
    if (page.length < SEALS_AT_ONCE) break;
  }
  if (!isSeen) broken.push('The seal that was seen is not there: the end of the log was cut off');
  const unsealed = await linesBehind(db, upto);
  return { lines, seals, unsealed, newest: before?.toString('hex'), broken };
}

async function faultOf(
  db: Db,
  vault: Vault,
  seal: Seal,
  before: { readonly upto: number; readonly mark: Buffer | undefined },
): Promise<string | undefined> {
  const { after, upto, lines, digest, mark } = seal;
  const where = `lines ${after + 1} to ${upto}`;
  if (after !== before.upto) return `${where}: a seal before this one is missing`;
  if (!markOf(vault, seal, before.mark).equals(mark))
    return `${where}: the seal was not made by this service, or one before it was changed`;
  // One more than expected, so that an inserted line shows.
  const found = await stretchOf(db, seal, lines + 1);
  if (found?.lines !== lines)
    return `${where}: ${lines} were sealed, ${found?.lines ?? 0} are there`;
  return found.digest.equals(digest) ? undefined : `${where}: changed since they were sealed`;
}

async function linesBehind(db: Db, upto: number): Promise<number> {
  let [unsealed, after] = [0, upto];
  const newest = await newestLine(db);
  while (after < newest) {
    const found = await stretchOf(db, { after, upto: newest }, AT_ONCE);
    if (found === undefined) break;
    unsealed += found.lines;
    after = found.upto;
  }
  return unsealed;
}
