/** What became of a call to another party's system. `unknown` is not failure: money may have moved. */
export type Outcome<T> = { readonly kind: 'done'; readonly value: T } | Refusal | Unknown;

/** It may have happened, or may still. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly cause: string;
  /** For the caller's answer, such as when to ask again. Not kept. */
  readonly details?: unknown;
}

/** It did not happen and will not, for a reason that has a code. */
export interface Refusal {
  readonly kind: 'refused';
  readonly code: string;
  readonly message: string;
  /** The HTTP status it came with, where that matters. */
  readonly status?: number;
  /** For the caller's answer, such as what is required and available. Not kept. */
  readonly details?: unknown;
}

/** What is certain. */
export type Certain<T> = Exclude<Outcome<T>, { readonly kind: 'unknown' }>;

export const done = <T>(value: T): Outcome<T> => ({ kind: 'done', value });
export const unknown = (cause: string, details?: unknown): Unknown => ({
  kind: 'unknown',
  cause,
  ...(details === undefined ? {} : { details }),
});
export const refused = (
  code: string,
  message: string,
  status?: number,
  details?: unknown,
): Refusal => ({
  kind: 'refused',
  code,
  message,
  ...(status === undefined ? {} : { status }),
  ...(details === undefined ? {} : { details }),
});
