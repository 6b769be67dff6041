/** A file as the body of a request: of one of these types, with at most so many bytes. */
export interface FileBody {
  readonly most: number;
  readonly types: readonly string[];
}

/** What is known of a file before it is sent. */
interface SentFile {
  readonly name: string;
  readonly type: string;
  /** In bytes; left out where it is written as it is sent. */
  readonly size?: number;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A file that is sent part by part, to be saved and not to be shown. */
export class Download {
  readonly file: SentFile;
  readonly parts: AsyncIterable<Buffer>;
  constructor(file: Download['file'], parts: AsyncIterable<Buffer>) {
    this.file = file;
    this.parts = parts;
  }
}
