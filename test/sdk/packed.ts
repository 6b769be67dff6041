import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TSC = resolve('node_modules/typescript/bin/tsc');

export interface Packed {
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  readonly unpackedSize: number;
}

/** The package as npm would publish it, from the sources of now. */
export async function packedSdk(folder: string): Promise<Packed> {
  const copy = join(folder, 'sdk');
  await cp('packages/sdk', copy, { recursive: true });
  await rm(join(copy, 'dist'), { recursive: true, force: true });
  await run(process.execPath, [TSC, '-p', 'packages/sdk', '--outDir', join(copy, 'dist')]);
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: copy });
  const [{ filename, size, unpackedSize }] = JSON.parse(stdout);
  return { file: join(folder, filename), size, unpackedSize };
}

/** Installs a packed file in a new folder, without a network. */
export async function installed(file: string, place: string): Promise<void> {
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), '{"name": "place", "type": "module"}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', file];
  await run('npm', install, { cwd: place });
}
