import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const run = promisify(execFile);
/** Between the outputs of two blocks. */
const MARK = '=== next block ===';
const sources = resolve('packages/sdk/src');

export interface Block {
  /** `sh`, `ts receiver.ts`, `json`. */
  readonly info: string;
  readonly text: string;
}

/** What stands between fences on a page. */
export const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, info = '', text = '']): Block => ({ info, text }),
  );

/** The program as it is shown, with the sources of the SDK in the place of the package. */
export const onSources = (text: string): string =>
  text.replace(
    /'@archipay\/sdk(?:\/(\w+))?'/g,
    (_, part: string | undefined) => `'${sources}/${part ?? 'index'}.ts'`,
  );

/** Shown output with `…` for what differs each time. */
export const asShown = (text: string): RegExp =>
  new RegExp(
    `^${text
      .trim()
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('[\\s\\S]*')}$`,
  );

/** Runs commands in one shell, one block after the other, and answers what each has printed. */
export async function outputsIn(folder: string, commands: readonly string[]): Promise<string[]> {
  const script = ["trap 'kill $(jobs -p) 2>/dev/null || :' EXIT", ...commands].join(
    `\necho; echo '${MARK}'\n`,
  );
  await writeFile(join(folder, 'blocks.sh'), script);
  const options = { cwd: folder, env: { PATH: process.env['PATH'] }, timeout: 120_000 };
  const { stdout, stderr } = await run('bash', ['-eu', 'blocks.sh'], options).catch((failed) =>
    expect.fail(`${failed.stdout}\n${failed.stderr}`),
  );
  expect(stderr).toBe('');
  return stdout
    .split(`${MARK}\n`)
    .slice(1)
    .map((text) => text.replaceAll('\r', '').trim());
}
