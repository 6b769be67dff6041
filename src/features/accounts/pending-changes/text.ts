import type { ChangeKind, PendingChange } from './store.ts';

type Facts = Pick<PendingChange, 'subject' | 'details'>;

/** The request in words for the user it concerns. Other people's text is one line of it. */
const WORDS: Readonly<Record<ChangeKind, (facts: Facts) => readonly string[]>> = {
  email: ({ subject }) => [
    `The e-mail address of your account is to become ${subject}.`,
    'A reader of mail there could then set a new password and get into your account.',
  ],
  'external-login': ({ subject, details }) => [
    `An account of ${details['auth_provider'] ?? 'an external provider'} is to log in as you: ${details['email'] ?? subject}.`,
    'The holder of that account could then do everything that you can, also with your money.',
  ],
  wallet: ({ subject }) => [
    `A wallet is to log in as you: ${subject}.`,
    'The holder of it could then do everything that you can, also with your money.',
  ],
  'second-factor-removal': () => [
    'The two-factor authentication of your account is to be switched off.',
    'Your password alone would then log you in.',
  ],
};

export interface Explained {
  readonly subject: string;
  /** Each a whole sentence. */
  readonly lines: readonly string[];
}

/** The pending change, and the effect of the user's consent. */
export function explain(change: PendingChange): Explained {
  const words = WORDS[change.kind](change);
  if (change.takes_effect_at === null)
    return {
      subject: 'Confirm a change of your Archipay account',
      lines: [
        'An administrator asks for a change of your Archipay account that only you can allow.',
        ...words,
        'Confirm it only if you want that and it is yours.',
        'Without your consent nothing changes, and after 24 hours the request lapses.',
      ],
    };
  return {
    subject: 'A change of your Archipay account is on its way',
    lines: [
      'An operator of Archipay was asked to help with your account.',
      ...words,
      `This takes effect on ${moment(change.takes_effect_at)}, unless you have it at once or stop it.`,
      'If you did not ask for it, stop it.',
    ],
  };
}

/** `2026-01-02 03:04 UTC` */
const moment = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** For the owner, whom a mail has announced the order to. */
export const voidedMail = (change: Facts & Pick<PendingChange, 'kind'>) => ({
  subject: 'A change of your Archipay account was called off',
  text: [
    'An operator of Archipay had ordered a change of your account:',
    ...WORDS[change.kind](change),
    'It does not take effect: the account that gave the order is no longer allowed to.',
    'If you still need help with your account, ask the operator again.',
  ],
});
