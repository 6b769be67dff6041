import { fail } from '#kernel/error.ts';

/** A record of a table, by the line of the file in which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** What RFC 4180 does not allow in it. */
  readonly fault?: string;
}

const CELL_MAX = 2000;
const CELLS_MAX = 60;

const unreadable = (message: string) => fail('VALIDATION_ERROR', `The file is no CSV: ${message}`);

/**
 * The records of a table as its bytes arrive: UTF-8, with or without a byte order mark, lines that end as they end
 * anywhere, cells in quotes as RFC 4180 has them, parted by what parts the head. Holds one record at a time.
 */
export async function* csvRecords(parts: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  const reader = new RecordReader();
  for await (const text of textOf(parts)) {
    for (const char of text) {
      const record = reader.take(char);
      if (record) yield record;
    }
  }
  const last = reader.end();
  if (last) yield last;
}

async function* textOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const part of parts) yield decoder.decode(part, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw unreadable('it is not UTF-8');
    throw error;
  }
}

type State = 'start' | 'plain' | 'quoted' | 'after';

class RecordReader {
  #separator: ',' | ';' | undefined;
  #state: State = 'start';
  #cells: string[] = [];
  #cell = '';
  #fault: string | undefined;
  #line = 1;
  #begun = 1;
  #wasReturn = false;

  /** The next character; the record that it ends. */
  take(char: string): CsvRecord | undefined {
    // Of CR and LF the second ends no line of its own.
    const isSecond = char === '\n' && this.#wasReturn;
    this.#wasReturn = char === '\r';
    if (this.#state === 'quoted') {
      if (char === '"') this.#state = 'after';
      else this.#add(char);
      if (char === '\r' || (char === '\n' && !isSecond)) this.#line += 1;
      return undefined;
    }
    if (isSecond) return undefined;
    if (char === '\r' || char === '\n') return this.#endRecord();
    if (this.#parts(char)) this.#endCell();
    else this.#within(char);
    return undefined;
  }

  end(): CsvRecord | undefined {
    if (this.#state === 'quoted') throw unreadable('a quote is not closed');
    return this.#cells.length === 0 && this.#cell === '' && this.#state === 'start'
      ? undefined
      : this.#endRecord();
  }

  /** The head has no cell with either sign in it, so that the first one there parts them all. */
  #parts(char: string): boolean {
    if (char !== ',' && char !== ';') return false;
    this.#separator ??= char;
    return char === this.#separator;
  }

  #within(char: string): void {
    if (char === '"' && this.#state === 'start') this.#state = 'quoted';
    else if (char === '"' && this.#state === 'after') {
      this.#add(char);
      this.#state = 'quoted';
    } else {
      if (char === '"') this.#fault ??= 'has a quote within a cell that has none around it';
      if (this.#state === 'after') this.#fault ??= 'has text behind a closing quote';
      this.#add(char);
      this.#state = 'plain';
    }
  }

  #add(char: string): void {
    if (this.#cell.length >= CELL_MAX)
      throw unreadable(`a cell of line ${this.#begun} is too long`);
    this.#cell += char;
  }

  #endCell(): void {
    if (this.#cells.length >= CELLS_MAX) throw unreadable(`line ${this.#begun} has too many cells`);
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'start';
  }

  #endRecord(): CsvRecord {
    this.#endCell();
    const record = {
      line: this.#begun,
      cells: this.#cells,
      ...(this.#fault !== undefined && { fault: this.#fault }),
    };
    this.#cells = [];
    this.#fault = undefined;
    this.#line += 1;
    this.#begun = this.#line;
    return record;
  }
}
