import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { exportJWK, generateKeyPair } from 'jose';
import { checkArchive, compareTenant, exportTenant } from '../src/app/operate/tenant/archive.ts';
import { recipientKey } from '../src/app/operate/tenant/archive-secrets.ts';
import { loadSecrets } from '../src/app/start/secrets-file.ts';
import { createClock } from '../src/kernel/clock.ts';
import { openDatabase } from '../src/kernel/db/db.ts';
import { createVault } from '../src/kernel/secrets/vault.ts';
import { complain, operate } from './operate.ts';

/** One client whole: its archive, a check of an archive, and a comparison of both. It changes no row. */
const USAGE = `Usage: npm run tenant -- <command>
  key <file>                                       makes the receiver's key; prints its public half
  export <client> --to <folder> --recipient <file> writes the client's archive for that public key
  check <folder>                                   whether an archive is whole and unchanged
  compare <client> --with <folder>                 whether the database has what an archive has
MASTER_KEY is that of the service's settings.`;

const { command, words, values } = orders();
const [word = ''] = words;
if (words.length !== 1) complain(USAGE);
else if (command === 'key') await makeKey(word);
else if (command === 'check')
  report(await checkArchive(word).catch(sentence), 'The archive is whole.');
else if (command === 'export' && values.to && values.recipient)
  await write(values.to, values.recipient);
else if (command === 'compare' && values.with) await compare(values.with);
else complain(USAGE);

function orders() {
  const text = { type: 'string' } as const;
  const options = { to: text, recipient: text, with: text };
  try {
    const { values: given, positionals } = parseArgs({ options, allowPositionals: true });
    const [first, ...rest] = positionals;
    return { command: first, words: rest, values: given };
  } catch {
    return { command: undefined, words: [], values: {} };
  }
}

function sentence(error: Error): string[] {
  return [error.message];
}

async function makeKey(path: string): Promise<void> {
  const pair = await generateKeyPair('ECDH-ES', { crv: 'X25519', extractable: true });
  const key = JSON.stringify(await exportJWK(pair.privateKey));
  await writeFile(path, `${key}\n`, { flag: 'wx', mode: 0o600 });
  console.log(JSON.stringify(await exportJWK(pair.publicKey)));
}

async function write(dir: string, keyFile: string): Promise<void> {
  await operate(async ({ config, directUrl }) => {
    const secrets = await loadSecrets(config);
    const { db, close } = openDatabase(directUrl, { max: 1 });
    try {
      const manifest = await exportTenant(db, {
        client_id: Number(word),
        dir,
        recipient: await recipientKey(await readFile(keyFile, 'utf8')),
        vault: createVault(secrets.MASTER_KEY),
        clock: createClock(),
      });
      const rows = Object.values(manifest.tables).reduce((all, table) => all + table.rows, 0);
      console.log(`${manifest.client}: ${rows} rows, ${manifest.secrets.rows} secrets`);
      if (manifest.pending_payments > 0)
        console.log(`${manifest.pending_payments} payments have not ended: their flows stay here`);
    } catch (error) {
      complain((error as Error).message);
    } finally {
      await close();
    }
  });
}

async function compare(dir: string): Promise<void> {
  await operate(async ({ directUrl }) => {
    const { db, close } = openDatabase(directUrl, { max: 1 });
    try {
      const found = await compareTenant(db, dir, Number(word)).catch(sentence);
      report(found, 'The database has what the archive has.');
    } finally {
      await close();
    }
  });
}

function report(faults: readonly string[], good: string): void {
  for (const fault of faults) complain(fault);
  if (faults.length === 0) console.log(good);
}
