import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

/**
 * Completes package-lock.json. Where the registry lacks an optional package of another platform, npm
 * writes no entry for it, and `npm ci` then refuses the whole lockfile as out of step. An entry with
 * version and platform is enough: the package is skipped here and fetched where it fits.
 *
 * `--check` changes nothing and fails when something is missing.
 */

interface Entry {
  version?: string;
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

if (names.length === 0) {
  console.log('package-lock.json is complete.');
} else if (check) {
  console.error(`package-lock.json lacks ${names.join(', ')}: npm run lock adds them.`);
  process.exit(1);
} else {
  const all = { ...lock.packages, ...missing };
  const sorted = Object.keys(all).sort((a, b) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries(sorted.map((path) => [path, all[path]]));
  await writeFile('package-lock.json', `${JSON.stringify(lock, undefined, 2)}\n`);
  console.log(`Added ${names.join(', ')}`);
}

function missingEntries(packages: Packages): Packages {
  const found: Packages = {};
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages))
    for (const [name, version] of Object.entries(optionalDependencies))
      if (!isLocked(packages, path, name))
        found[`node_modules/${name}`] = entryFor(name, version, dev);
  return found;
}

/** Looks where Node would: below the package that asks, then further up. */
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
