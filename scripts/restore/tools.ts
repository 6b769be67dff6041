import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

/** The first bytes of a custom-format archive of pg_dump, and a tar's at its offset. */
const ARCHIVE = 'PGDMP';
const TAR = { at: 257, magic: 'ustar' };

/** Restores a file of pg_dump into an empty database, by PostgreSQL's own programs. Throws their output. */
export async function restoreDump(file: string, url: string, signal: AbortSignal): Promise<void> {
  const address = new URL(url);
  const env = {
    ...process.env,
    PGHOST: address.hostname.replace(/^\[|\]$/g, ''),
    PGPORT: address.port || '5432',
    PGUSER: decodeURIComponent(address.username),
    // Not among the arguments, which every user of the machine can read.
    PGPASSWORD: decodeURIComponent(address.password),
    PGDATABASE: address.pathname.slice(1),
    ...sslOf(address),
  };
  const [program, args] = (await isArchive(file))
    ? ['pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${env.PGDATABASE}`, file]]
    : ['psql', ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', `--file=${file}`]];
  const child = spawn(program, args, { env, signal, stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, code] = await Promise.all([
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ENOENT' ? new Error(missing(program)) : error),
      );
      child.on('close', resolve);
    }),
  ]);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said.trim().slice(0, 2000)}`);
}

const missing = (program: string): string =>
  `${program} is not on PATH: install PostgreSQL's client programs, of the version that wrote the dump ` +
  'or later, or restore it by other means and give the address (--database)';

const sslOf = ({ searchParams }: URL) => {
  const mode = searchParams.get('sslmode');
  return mode === null ? {} : { PGSSLMODE: mode };
};

/** Folders are archives, too; any other file is text for psql. */
async function isArchive(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    if ((await handle.stat()).isDirectory()) return true;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    const begin = buffer.toString('latin1', 0, bytesRead);
    return begin.startsWith(ARCHIVE) || begin.startsWith(TAR.magic, TAR.at);
  } finally {
    await handle.close();
  }
}
