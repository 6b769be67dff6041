import type { Session } from './session.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly help: string;
  /** How the help names its value. */
  readonly value?: string;
}

/** What a person has typed after the name of the command. */
export interface Given {
  readonly words: readonly string[];
  text(option: string): string | undefined;
  has(option: string): boolean;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Its arguments, as the help shows them. */
  readonly usage?: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** What may stand at the place of its next argument, for completion. */
  complete?(words: readonly string[]): readonly string[];
  /** Answers the exit code, 0 where it answers nothing. */
  run(session: Session, given: Given): Promise<number | undefined>;
}

/** What a command ends with. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  /** A call may have been carried out. */
  unknown: 5,
  interrupted: 130,
} as const;

/** A command that was typed wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command that has failed for a reason that is not an answer of the API. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: string;
  readonly hint: string | undefined;
  readonly exit: number;

  constructor(code: string, message: string, more: { hint?: string; exit?: number } = {}) {
    super(message);
    this.code = code;
    this.hint = more.hint;
    this.exit = more.exit ?? EXIT.failed;
  }
}

/** The argument at that place, which has to be there. */
export function wordAt({ words }: Given, place: number, name: string): string {
  const word = words[place];
  if (word === undefined || word === '') throw new UsageError(`${name} is missing`);
  return word;
}

/** A whole number of an option. */
export function numberOf(given: Given, option: string): number | undefined {
  const text = given.text(option);
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${option} needs a whole number`);
}
