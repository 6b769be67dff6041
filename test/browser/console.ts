import { afterAll } from 'vitest';
import { command } from '../command.ts';
import { removeFolder } from '../folders.ts';
import { runFolder } from '../run-folder.ts';

/** The console's files, built for this test file as they are for everybody. */
export async function builtConsole(): Promise<string> {
  const folder = await runFolder();
  afterAll(() => removeFolder(folder));
  const built = await command(['scripts/build-console.ts', '--out', folder], {});
  if (built.code !== 0) throw new Error(built.err);
  return folder;
}
