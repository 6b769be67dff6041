import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The exit of a command, and its output. */
export interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Runs a script of ours with those arguments, in that environment alone. */
export async function command(
  [script, ...words]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  const child = spawn(process.execPath, [script, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { out, err, code: code as number };
}
