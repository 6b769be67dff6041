import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Makes the command line, `packages/cli/dist/archipay.js` or the file that is named: one file with what it needs of the
 * SDK, so that it has no dependencies. From any folder, since `npm pack` calls it from the package's own.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const file = process.argv[2] ?? join(root, 'packages/cli/dist/archipay.js');
const bundle = await rolldown({ input: join(root, 'packages/cli/src/main.ts'), platform: 'node' });
await bundle.write({ file, format: 'esm', minify: false, codeSplitting: false });
await bundle.close();
await chmod(file, 0o755);
