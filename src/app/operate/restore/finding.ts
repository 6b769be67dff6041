/** What one check has found. */
export interface Finding {
  readonly check: string;
  /** A `note` is for a person to know and keeps nothing from starting. */
  readonly state: 'ok' | 'note' | 'wrong';
  readonly says: string;
  readonly rows?: readonly object[];
}

/** What the checks of a copy are given. */
export type RestoreFindings = Omit<Finding, 'check'>;

export const ok = (says: string, rows?: readonly object[]): RestoreFindings =>
  found('ok', says, rows);
export const noteFinding = (says: string, rows?: readonly object[]): RestoreFindings =>
  found('note', says, rows);
export const wrong = (says: string, rows?: readonly object[]): RestoreFindings =>
  found('wrong', says, rows);

const found = (
  state: RestoreFindings['state'],
  says: string,
  rows: readonly object[] = [],
): RestoreFindings => ({
  state,
  says,
  ...(rows.length > 0 && { rows }),
});

/** `1 row`, `2 rows`. */
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
