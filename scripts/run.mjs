// Runs one of the TypeScript scripts: node scripts/run.mjs scripts/check.ts [arguments]
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hasNode } from './node-version.mjs';

const script = process.argv[2];
if (hasNode(script)) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  // The script gets the arguments as if it had been started directly.
  process.argv.splice(1, 2, resolve(script));
  await import(pathToFileURL(process.argv[1]).href);
}
