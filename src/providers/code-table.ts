/**
 * What the codes of a provider mean for us. One shape for all of them: a code that is not listed means nothing that is
 * known, so the callers ask again and never take it for a failure.
 */
export interface CodeTable<M extends string = string> {
  /** The document that should list the codes. */
  readonly source: string;
  /** The day on which the table was held against it; null where that is still to be done. */
  readonly read: string | null;
  readonly meanings: Readonly<Record<string, M>>;
}

export const codeTable = <const M extends string>(table: CodeTable<M>): CodeTable<M> => table;

/** Undefined where the table does not list the code. */
export const meaningOf = <M extends string>(
  { meanings }: CodeTable<M>,
  code: string | undefined,
): M | undefined =>
  code !== undefined && Object.hasOwn(meanings, code) ? meanings[code] : undefined;
