import { rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { embeddedDir, stopLeftover } from '../embedded/embedded.ts';
import { loadConfig } from '../src/kernel/config/config.ts';

/** Deletes everything the service keeps in DATA_DIR: the next start is a first start. */

const dir = resolve(loadConfig(process.env).DATA_DIR);
if (!relative(dir, process.cwd()).startsWith('..')) {
  console.error(`DATA_DIR is ${dir}, which holds this project: nothing was deleted.`);
  process.exit(1);
}
if (!(await stopLeftover(embeddedDir(dir)))) {
  console.error(`The service is running with ${dir}. Stop it first: nothing was deleted.`);
  process.exit(1);
}
await rm(dir, { recursive: true, force: true });
console.log(`Deleted ${dir}`);
