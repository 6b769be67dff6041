// Resolving and linking thousands of files is most of a start, so the service is bundled into few first.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const MAKER = fileURLToPath(new URL('./make-bundle.ts', import.meta.url));
/** The inputs of bundles beside the sources: their maker and the packages. */
const RECIPE = ['package.json', 'package-lock.json', 'scripts/make-bundle.ts'];
/** The entry to run. */
const SOURCES = /(?<!\.test)\.ts$|\.json$/;
/** The maximum wait for another process's bundle. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 25;
/** The age after which no process makes it or starts from it. */
const STALE_MS = 7 * 24 * 3_600_000;

/** The entries of the bundle, by file names. */
export interface Contents {
  readonly entries: Readonly<Record<string, string>>;
  /** The folders of its possible parts. */
  readonly folders: readonly string[];
  /** Further files that it depends on. Default: the maker of the service's bundles. */
  readonly recipe?: readonly string[];
  /** The files of the folders. Default: those that the service runs. */
  readonly sources?: RegExp;
  /** Makes the folder, instead of a bundler for the service. */
  make?(folder: string): Promise<void>;
}

const SERVICE: Contents = {
  entries: { main: 'src/main.ts' },
  // A production image has the first only: the others are development's.
  folders: ['src', 'sandbox', 'embedded'],
};

interface BundleOptions {
  /** The folder of bundles. */
  readonly home?: string;
  /** Called with the reason for a missing one. */
  debug?(why: string): void;
}

/**
 * The file to start the service from: one bundle of all sources and libraries, made here if none of
 * exactly these exists yet. Undefined if none can be made: the folder may be read-only, or the bundler not installed.
 */
export async function bundledMain({
  debug,
  ...options
}: BundleOptions = {}): Promise<string | undefined> {
  const bundle = await bundleOf(SERVICE, {
    ...options,
    debug: (why) => debug?.(`started from the sources, since there is no bundle: ${why}`),
  });
  return bundle && join(bundle, 'main.js');
}

/** The folder of a bundle of those, likewise. */
export async function bundleOf(
  contents: Contents,
  { home = join(ROOT, '.bundle'), debug }: BundleOptions = {},
): Promise<string | undefined> {
  try {
    const bundle = join(home, keyOf(ROOT, contents));
    if (existsSync(bundle)) return bundle;
    await madeByAnother(bundle);
    if (!existsSync(bundle)) await (contents.make?.(bundle) ?? make(bundle, contents));
    sweep(home, bundle);
    return bundle;
  } catch (error) {
    debug?.((error as Error).message);
    return undefined;
  }
}

// npm run bundle: so that a first start in a read-only folder need not do it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const fault = (why: string) => {
    console.error(why);
    process.exitCode = 1;
  };
  const main = await bundledMain({ debug: fault });
  if (main !== undefined) console.log(main);
}

/** A name from the content of the sources and everything that their bundle depends on. */
export function keyOf(root: string, contents: Contents = SERVICE): string {
  const { entries, folders, recipe = RECIPE, sources: kind = SOURCES } = contents;
  // By one call each, since every start waits for it.
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  const sources = present.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => kind.test(path))
      .map((path) => join(folder, path)),
  );
  const hash = createHash('sha256').update(JSON.stringify(entries));
  for (const path of [...recipe, ...sources.sort()])
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex').slice(0, 32);
}

/** In a process of its own, which returns its hundreds of megabytes at its end. */
async function make(bundle: string, { entries }: Contents): Promise<void> {
  const child = spawn(process.execPath, [MAKER, ROOT, bundle, JSON.stringify(entries)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said += part;
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(said.trim() || `the bundler ended with ${code}`);
}

/** Processes that start at once need not make the same thing side by side, though they may. */
async function madeByAnother(bundle: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline && beingMade(bundle)) await sleep(LOOK_MS);
}

function beingMade(bundle: string): boolean {
  const folder = join(bundle, '..');
  if (!existsSync(folder)) return false;
  const beginning = `${bundle.slice(folder.length + 1)}.`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(beginning))
    .some((name) => isThere(Number(name.slice(beginning.length))));
}

function isThere(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Those of older sources, and the remains of a killed bundler. */
function sweep(home: string, kept: string): void {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    if (path === kept || Date.now() - statSync(path).mtimeMs < STALE_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
