/** What kinds of things can go wrong; negative controls show that each of them would be found. */
export const FINDING_KINDS = [
  'lost',
  'doubled',
  'unasked',
  'wrong',
  'held',
  'open',
  'refused',
  'changed-answer',
  'bad-answer',
  'key-in-progress',
  'ledger',
  'dead-letter',
  'break',
  'second-node',
  // Of processes: it did not start, ended by itself, did not end well, or was still there at the end.
  'start',
  'ended',
  'stop',
  'left-over',
  // The run itself could not go on.
  'broken-off',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** Something that should not be, and where. */
export interface Finding {
  readonly kind: FindingKind;
  /** `statement of user 3`, `card network`, `chains`. */
  readonly where: string;
  /** What was there and what should have been, in words. */
  readonly what: string;
  /** The keys of the operations that it is about, whose attempts the report tells. */
  readonly keys?: readonly string[];
}
