import { readFile, writeFile } from 'node:fs/promises';
import { productDocument } from './product-document.ts';
import type { ApiDocument } from './sdk/document-shapes.ts';
import { sdkFiles } from './sdk/sdk-files.ts';

/** Writes what the SDK and the command line have of the OpenAPI document. `--check` fails where it is another. */

const stale: string[] = [];
for (const [file, text] of Object.entries(sdkFiles(productDocument() as unknown as ApiDocument))) {
  if ((await readFile(file, 'utf8').catch(() => '')) === text) continue;
  if (process.argv.includes('--check')) stale.push(file);
  else await writeFile(file, text);
}
if (stale.length > 0) {
  console.error(`${stale.join(', ')}: not of this OpenAPI document; npm run generate writes them.`);
  process.exitCode = 1;
}
