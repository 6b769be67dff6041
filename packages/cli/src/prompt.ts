import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from './command.ts';

/** Asks a person at the terminal; elsewhere the option has to be there. */
export async function ask(question: string, option: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`--${option} is missing`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question}: `);
  lines.close();
  return answer.trim();
}

/** The same for a secret: nothing of it is shown. */
export async function askHidden(question: string, option: string): Promise<string> {
  const { stdin } = process;
  if (!stdin.isTTY) throw new UsageError(`--${option} is missing (- reads it from the input)`);
  process.stderr.write(`${question}: `);
  stdin.setRawMode(true);
  let typed = '';
  try {
    for await (const part of stdin) {
      for (const letter of String(part)) {
        if (letter === '\r' || letter === '\n' || letter === '\u0004') return typed;
        if (letter === '\u0003') throw new UsageError('Interrupted');
        typed = letter === '\u007f' ? typed.slice(0, -1) : typed + letter;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
    process.stderr.write('\n');
  }
}

/** The value of an option; `-` stands for the input, so that a secret needs no place in the command. */
export const valueOrInput = async (value: string | undefined): Promise<string | undefined> =>
  value === '-' ? (await text(process.stdin)).trim() : value;
