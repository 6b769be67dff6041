type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const CODES: Readonly<Record<Colour, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export interface OutputOptions {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly json: boolean;
}

export type Row = Readonly<Record<string, unknown>>;

/** Variables by which a program says that it reads instead of a person. */
const AGENTS = ['CI', 'ARCHIPAY_AGENT', 'CLAUDECODE', 'CURSOR_AGENT', 'GEMINI_CLI'];

/** Tables and colours for a person at a terminal, plain lines for pipes, JSON where it is asked for. */
export class Output {
  readonly json: boolean;
  /** Whether a person reads along. */
  readonly isTerminal: boolean;
  readonly #colours: boolean;
  readonly #options: OutputOptions;

  constructor(options: OutputOptions) {
    const { env, out } = options;
    this.#options = options;
    this.json = options.json;
    this.isTerminal = out.isTTY === true && !AGENTS.some((name) => env[name]);
    const isPlain = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
    this.#colours = this.isTerminal && !options.json && !isPlain && env['TERM'] !== 'dumb';
  }

  paint(colour: Colour, text: string): string {
    if (!this.#colours) return text;
    const [on, off] = CODES[colour];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  }

  /** A result. */
  line(text: string): void {
    this.#options.out.write(`${text}\n`);
  }

  /** What is not a result: it does not get into pipes. */
  note(text: string): void {
    if (!this.json) this.#options.err.write(`${text}\n`);
  }

  failure(text: string): void {
    this.#options.err.write(`${text}\n`);
  }

  /** One thing: whole as JSON, else as the lines of its fields. */
  thing(value: unknown, fields?: Row): void {
    if (this.json || fields === undefined) {
      this.line(JSON.stringify(value, undefined, this.json ? undefined : 2));
      return;
    }
    const rows = Object.entries(fields).filter(([, one]) => one !== undefined && one !== null);
    const width = Math.max(...rows.map(([name]) => name.length));
    for (const [name, one] of rows) {
      this.line(
        this.isTerminal
          ? `${this.paint('dim', name.padEnd(width))}  ${wordOf(one)}`
          : `${name}\t${wordOf(one)}`,
      );
    }
  }

  /** Many things: a JSON line for each whole value, else a table of the rows made of them. */
  table<T>(values: readonly T[], rowOf: (value: T) => Row): void {
    if (this.json) {
      for (const value of values) this.line(JSON.stringify(value));
      return;
    }
    const rows = values.map((value) => Object.entries(rowOf(value)));
    const [first] = rows;
    if (!first) return;
    const cells = rows.map((row) => row.map(([, one]) => wordOf(one)));
    if (!this.isTerminal) {
      for (const row of cells) this.line(row.join('\t'));
      return;
    }
    const heads = first.map(([name]) => name);
    const widths = heads.map((head, nth) =>
      Math.max(head.length, ...cells.map((row) => row[nth]?.length ?? 0)),
    );
    const aligned = (row: readonly string[]) =>
      row.map((one, nth) => one.padEnd(widths[nth] ?? 0)).join('  ');
    this.line(this.paint('bold', aligned(heads).trimEnd()));
    for (const row of cells) this.line(aligned(row).trimEnd());
  }
}

/** In one line, without what could steer a terminal. */
const wordOf = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '-'))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
