import type { Config } from '#kernel/config/config.ts';

export type SecondPersonRule = Pick<Config, 'SECOND_PERSON_DAYS' | 'OPERATOR_2FA'>;

const DAY_MS = 24 * 3600_000;

/**
 * Which admins may be the second person, as the proposal keeps it. The database enforces it on the approval
 * (`is_second_person`, decisions: adjustments by two people).
 */
export const secondPerson = (
  { SECOND_PERSON_DAYS, OPERATOR_2FA }: SecondPersonRule,
  proposed: Date,
) => ({
  second_since: new Date(proposed.getTime() - SECOND_PERSON_DAYS * DAY_MS).toISOString(),
  second_factor: OPERATOR_2FA === 'required',
});

/** The part of the refusal that says who may approve. */
export const secondPersonHint = ({ SECOND_PERSON_DAYS, OPERATOR_2FA }: SecondPersonRule): string =>
  [
    `Another admin of the operator has to approve it, whose account was ${SECOND_PERSON_DAYS} days old when it was proposed`,
    ...(OPERATOR_2FA === 'required' ? ['who has a second factor'] : []),
    'and whose account the first admin has not touched since: not created, reinstated or approved it, nor changed its address or its log-in.',
  ].join(', ');
