import type { Config } from '#kernel/config/config.ts';

export type SecondPersonRule = Pick<Config, 'SECOND_PERSON_DAYS' | 'OPERATOR_2FA'>;

const DAY_MS = 24 * 3600_000;

/**
 * Who may be the second person, as a proposal of that time keeps it. The database holds the approval to it
 * (`is_second_person`, decisions: adjustments by two people).
 */
export const secondPerson = (
  { SECOND_PERSON_DAYS, OPERATOR_2FA }: SecondPersonRule,
  proposed: Date,
) => ({
  second_since: new Date(proposed.getTime() - SECOND_PERSON_DAYS * DAY_MS).toISOString(),
  second_factor: OPERATOR_2FA === 'required',
});

/** What the refusal says of the way out. */
export const secondPersonHint = ({ SECOND_PERSON_DAYS, OPERATOR_2FA }: SecondPersonRule): string =>
  [
    `Another admin of the operator has to approve it, whose account was ${SECOND_PERSON_DAYS} days old when it was proposed`,
    ...(OPERATOR_2FA === 'required' ? ['who has a second factor'] : []),
    'and for whom the first admin has done nothing since: made, let in or approved the account, moved its address, or changed how it logs in.',
  ].join(', ');
