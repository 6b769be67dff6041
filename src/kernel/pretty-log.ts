import type { Writable } from 'node:stream';
import type { PrettyOptions } from 'pino-pretty';

interface Lines {
  write(line: string): void;
}
type Printer = (options: PrettyOptions) => Lines;

/** A development dependency, which production does not have. */
const PRINTER = 'pino-pretty';

const OPTIONS: PrettyOptions = {
  colorize: process.stdout.isTTY === true,
  translateTime: 'SYS:HH:MM:ss.l',
  messageKey: 'msg',
  ignore: 'pid,hostname',
  singleLine: true,
  // In this very process: a worker thread would lose what is said last.
  sync: true,
};

/** Where lines are made readable for people before they are printed; nothing where that is not installed. */
export async function prettyLines(destination?: Writable): Promise<Lines | undefined> {
  try {
    const { default: printer } = (await import(PRINTER)) as { default: Printer };
    return printer({ ...OPTIONS, ...(destination && { destination }) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
