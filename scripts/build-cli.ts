import { chmod } from 'node:fs/promises';
import { rolldown } from 'rolldown';

/** Makes `packages/cli/dist/archipay.js`: one file with what it needs of the SDK, so that it has no dependencies. */
export async function buildCli(file = 'packages/cli/dist/archipay.js'): Promise<void> {
  const bundle = await rolldown({ input: 'packages/cli/src/main.ts', platform: 'node' });
  await bundle.write({ file, format: 'esm', minify: false, codeSplitting: false });
  await bundle.close();
  await chmod(file, 0o755);
}

if (import.meta.main) await buildCli();
