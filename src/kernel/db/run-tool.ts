import { spawn } from 'node:child_process';

/** Who runs a command: by a command in front of it, or by user and group; else as this process. */
export interface Identity {
  readonly prefix?: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

export interface ToolEnd {
  readonly ok: boolean;
  /** Both output streams, trimmed. */
  readonly output: string;
}

/** Runs a command to its end. A command that cannot be started has not ended well. */
export function runTool(
  command: readonly string[],
  { prefix = [], ...user }: Identity = {},
  cwd?: string,
): Promise<ToolEnd> {
  const [file = '', ...args] = [...prefix, ...command];
  return new Promise((resolve) => {
    const child = spawn(file, args, { ...user, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output: output.trim() }));
  });
}

/** What a command prints, or nothing when it fails. */
export async function outputOf(command: string, args: readonly string[]): Promise<string> {
  const { ok, output } = await runTool([command, ...args]);
  return ok ? output : '';
}
