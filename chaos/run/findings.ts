/** What kind of thing went wrong; the negative controls show that each of them can be found. */
export type FindingKind =
  | 'lost'
  | 'doubled'
  | 'unasked'
  | 'wrong'
  | 'held'
  | 'open'
  | 'refused'
  | 'changed-answer'
  | 'bad-answer'
  | 'key-in-progress'
  | 'ledger'
  | 'dead-letter'
  | 'break'
  | 'second-node'
  | 'start'
  | 'ended'
  | 'stop'
  | 'left-over'
  | 'broken-off';

/** Something that should not be, and where. */
export interface Finding {
  readonly kind: FindingKind;
  /** `statement of user 3`, `card network`, `supply of amoy`. */
  readonly where: string;
  /** What was there and what should have been, in words. */
  readonly what: string;
  /** The keys of the operations that it is about, whose attempts the report tells. */
  readonly keys?: readonly string[];
}
