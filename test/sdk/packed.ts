import { execFile } from 'node:child_process';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const run = promisify(execFile);

export interface Packed {
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  readonly unpackedSize: number;
}

/** The package as npm would publish it, from the sources of now, compiled in a copy. */
export async function packedSdk(folder: string): Promise<Packed> {
  const copy = join(folder, 'packages/sdk');
  await cp('packages/sdk', copy, { recursive: true });
  await rm(join(copy, 'dist'), { recursive: true, force: true });
  await cp('tsconfig.json', join(folder, 'tsconfig.json'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const pack = ['pack', '--json', '--foreground-scripts=false', '--pack-destination', folder];
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

/** A program on the installed package as one file for browsers and workers. */
export async function bundled(place: string, program: string): Promise<string> {
  const input = join(place, 'bundled.js');
  await writeFile(input, program);
  const bundle = await rolldown({ cwd: place, input, platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

export const gzipped = (text: string): number => gzipSync(text, { level: 9 }).length;
