import { platformKeys, strangeSigners } from '#chains/evm/port.ts';
import { type Db, openDatabase, run } from '#kernel/db/db.ts';
import type { KernelSecrets } from '#kernel/kernel.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { type AgeLimits, checkAge } from './age.ts';
import { checkAudit } from './audit.ts';
import { checkBalance, checkKeptSums, checkLedger } from './books.ts';
import { counted, type Finding, ok, type RestoreFindings, wrong } from './finding.ts';
import { checkGuards, checkMigrations, checkRoles } from './schema.ts';
import { checkSealed } from './sealed.ts';
import { checkRails, checkUnderWay } from './under-way.ts';

export interface CopyOptions extends Omit<AgeLimits, 'live'> {
  readonly secrets: Pick<KernelSecrets, 'MASTER_KEY' | 'EVM_MNEMONIC'>;
  /** The address of the database that the copy is of, where that is still there. It is only read. */
  readonly liveUrl?: string | undefined;
}

/**
 * Whether the service could go on from this copy. It is read in sessions that cannot write, and nothing outside the
 * two databases is asked. What cannot be checked is wrong, and keeps nothing else from being checked.
 */
export async function checkCopy(url: string, options: CopyOptions): Promise<Finding[]> {
  const { secrets, liveUrl, ...wanted } = options;
  const address = readOnly(url);
  const copy = openDatabase(address, { max: 1 });
  const live = liveUrl === undefined ? undefined : openDatabase(readOnly(liveUrl), { max: 1 });
  const { db } = copy;
  const vault = createVault(secrets.MASTER_KEY);
  const checks: readonly (readonly [string, () => Promise<RestoreFindings[]>])[] = [
    ['in use', () => checkIdle(db)],
    ['schema', () => checkMigrations(address)],
    ['guards', () => checkGuards(db)],
    ['roles', () => checkRoles(db)],
    ['ledger', () => checkLedger(db)],
    ['balance', () => checkBalance(db)],
    ['kept sums', () => checkKeptSums(db)],
    ['secrets', async () => checkSealed(db, vault)],
    ['audit log', () => checkAudit(db, vault)],
    ['chain accounts', () => checkSigners(db, secrets.EVM_MNEMONIC)],
    ['under way', () => checkUnderWay(db)],
    ['rails', () => checkRails(db)],
    ['age', () => checkAge(db, { ...wanted, live: live?.db })],
  ];
  try {
    const findings: Finding[] = [];
    for (const [check, look] of checks)
      for (const found of await look().catch(unchecked)) findings.push({ check, ...found });
    return findings;
  } finally {
    await Promise.all([copy.close(), live?.close()]);
  }
}

const unchecked = (error: Error): RestoreFindings[] => [
  wrong(`Could not be checked: ${error.message}`),
];

/** The same address with sessions in which the server refuses to write. */
export function readOnly(url: string): string {
  const address = new URL(url);
  const given = address.searchParams.get('options');
  const only = '-c default_transaction_read_only=on';
  address.searchParams.set('options', given === null ? only : `${given} ${only}`);
  return address.href;
}

/** A process that found the copy has gone on with what was open in it: it repeats calls, and sends. */
async function checkIdle(db: Db): Promise<RestoreFindings[]> {
  const [row] = await run<{ sessions: number }>(
    db,
    `select count(*)::integer as sessions from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'archipay%'`,
    [],
  );
  const sessions = row?.sessions ?? 0;
  if (sessions === 0) return [ok('No process of the service is at work on it')];
  const says = `${counted(sessions, 'connection')} of the service: it is at work on this database`;
  return [wrong(`${says}, so that it is no copy any more`)];
}

/** Whether the words are those by whose addresses the platform has signed. */
async function checkSigners(db: Db, mnemonic: string): Promise<RestoreFindings[]> {
  const own = Object.values(platformKeys(mnemonic)).map(({ address }) => address);
  const rows = await run<{ address: string }>(db, STRANGERS, [await strangeSigners(db, own)]);
  if (rows.length === 0) return [ok('EVM_MNEMONIC leads to the accounts that have signed')];
  return [wrong('EVM_MNEMONIC does not lead to accounts that have signed', rows)];
}

/** Those that are no user's, whose keys are in the database. */
const STRANGERS = `
  select address from unnest($1::text[]) address
  where not exists (select from wallet_addresses w where lower(w.wallet_address) = lower(address))
  limit 20`;
