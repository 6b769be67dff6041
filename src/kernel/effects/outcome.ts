/** What became of a call to somebody else's system. `unknown` is not failure: money may have moved. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | Refusal
  | { readonly kind: 'unknown'; readonly cause: string };

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
export const unknown = (cause: string): Outcome<never> => ({ kind: 'unknown', cause });
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
