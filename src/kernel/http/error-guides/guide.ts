/** What a caller who meets a failure wants to know. */
export interface Guide {
  /** Why it is answered. */
  readonly cause: string;
  /** What to do about it: the `hint` on the wire. */
  readonly cure: string;
}

export const guide = (cause: string, cure: string): Guide => ({ cause, cure });

export const OURS =
  'Repeat it once with the same Idempotency-Key; if it stays, report the request_id.';

export const ID_OF_YOURS =
  'Check the id, and that it belongs to the user or client whose key and token you send.';
