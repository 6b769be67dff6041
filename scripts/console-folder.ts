// Prints the folder of the console's files, and makes them if none of exactly these sources exist yet.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleOf, type Contents } from './bundle.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const MAKER = 'scripts/build-console.ts';

const CONSOLE: Contents = {
  entries: {},
  // It imports constants and the colours of pages from the service.
  folders: ['console', 'src'],
  recipe: ['package.json', 'package-lock.json', MAKER],
  sources: /(?<!\.test)\.(?:tsx?|css|html|svg|png|woff2)$/,
  make,
};

const folder = await bundleOf(CONSOLE, {
  home: join(ROOT, '.console'),
  debug(why) {
    console.error(why);
    process.exitCode = 1;
  },
});
if (folder !== undefined) console.log(folder);

/** Beside its final path, until it is complete. */
async function make(folder: string): Promise<void> {
  const part = `${folder}.${process.pid}`;
  const child = spawn(process.execPath, [join(ROOT, MAKER), '--out', part], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Its child ends with this process.
  process.once('SIGTERM', () => child.kill());
  const [code] = await once(child, 'exit');
  try {
    if (code !== 0) throw new Error(`${MAKER} ended with ${code}`);
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    // Another process may have been faster, with the same files.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
