/** A file as the body of a request: of one of these types, with at most so many bytes. */
export interface FileBody {
  readonly most: number;
  readonly types: readonly string[];
}

/** A file that is sent part by part, to be saved and not to be shown. */
export class Download {
  readonly file: { readonly name: string; readonly type: string; readonly size: number };
  readonly parts: AsyncIterable<Buffer>;
  constructor(file: Download['file'], parts: AsyncIterable<Buffer>) {
    this.file = file;
    this.parts = parts;
  }
}
