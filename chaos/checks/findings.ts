/** The kinds of faults; negative controls show that each of them would be found. */
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
  // Of processes: it did not start, ended by itself, did not end well, or still ran at the end.
  'start',
  'ended',
  'stop',
  'left-over',
  // The run itself could not go on.
  'broken-off',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** A fault, and its place. */
export interface Finding {
  readonly kind: FindingKind;
  /** `statement of user 3`, `card network`, `chains`. */
  readonly where: string;
  /** The actual and the expected state, in words. */
  readonly what: string;
  /** The keys of its operations, whose attempts are in the report. */
  readonly keys?: readonly string[];
}
