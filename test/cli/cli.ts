import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { atEnd } from '../at-end.ts';
import type { Ended } from '../command.ts';
import { runFolder } from '../run-folder.ts';

const MAIN = 'packages/cli/src/main.ts';

export interface Cli {
  /** Runs a command to its end, with its output in pipes. */
  run(words: readonly string[], more?: { input?: string; env?: NodeJS.ProcessEnv }): Promise<Ended>;
  /** The same at a terminal; both channels are one there. */
  atTerminal(words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Starts a command that goes on. */
  start(words: readonly string[]): ChildProcess & { readonly stdout: NodeJS.ReadableStream };
  readonly folder: string;
}

/** The command line against a service, with settings of its own. */
export async function cliOf(
  url: string,
  program: readonly string[] = [process.execPath, MAIN],
): Promise<Cli> {
  const folder = await runFolder();
  const running = new Set<ChildProcess>();
  atEnd(async () => {
    for (const child of running) child.kill('SIGKILL');
  });
  const env = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    HOME: folder,
    TERM: 'xterm-256color',
    ARCHIPAY_URL: url,
    ARCHIPAY_CONFIG_DIR: `${folder}/archipay`,
    ...more,
  });
  const [node = '', ...before] = program;
  const started = (words: readonly string[], more?: NodeJS.ProcessEnv) => {
    const child = spawn(node, [...before, ...words], { env: env(more) });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  const ended = async (
    child: ChildProcessByStdio<Writable | null, Readable, Readable>,
  ): Promise<Ended> => {
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { out, err, code: code as number };
  };
  return {
    folder,
    start: started,
    run(words, { input = '', env: more } = {}) {
      const child = started(words, more);
      child.stdin.end(input);
      return ended(child);
    },
    atTerminal(words, more) {
      const quoted = [...program, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
      // Of util-linux: a terminal of its own for one command, whose exit is its own.
      const asked = ['-qec', quoted.join(' '), '/dev/null'];
      const child = spawn('script', asked, { env: env(more), stdio: ['ignore', 'pipe', 'pipe'] });
      return ended(child);
    },
  };
}
