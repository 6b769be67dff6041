// Prints where the files of the console are, and makes them where there are none of just these sources yet.
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
  // It takes plain facts and the colours of pages from the service.
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

/** Beside the place it gets when it is whole. */
async function make(folder: string): Promise<void> {
  const part = `${folder}.${process.pid}`;
  const child = spawn(process.execPath, [join(ROOT, MAKER), '--out', part], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // With this process ends what it waits for.
  process.once('SIGTERM', () => child.kill());
  const [code] = await once(child, 'exit');
  try {
    if (code !== 0) throw new Error(`${MAKER} ended with ${code}`);
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    // Somebody else may have been quicker, with the same.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
