import { type Line, linkLine } from '#kernel/wording.ts';
import type { AccessChange, SecurityNoticeChangeKind } from './store.ts';

interface Notice {
  readonly subject: string;
  lineOf(detail: string): string;
}

const NOTICES: Readonly<Record<SecurityNoticeChangeKind, Notice>> = {
  'external-login-added': {
    subject: 'A new way to log in to your Archipay account',
    lineOf: (detail) => `An external log-in was added: ${detail}.`,
  },
  'registered-externally': {
    subject: 'Your Archipay account',
    lineOf: (detail) => `An account was opened for this address by an external log-in: ${detail}.`,
  },
  'external-login-removed': {
    subject: 'A way to log in to your Archipay account was removed',
    lineOf: (detail) => `An external log-in was removed: ${detail}.`,
  },
  'two-factor-enabled': {
    subject: 'Two-factor authentication was switched on',
    lineOf: () => 'Two-factor authentication was switched on: logging in takes a code from now on.',
  },
  'two-factor-disabled': {
    subject: 'Two-factor authentication was switched off',
    lineOf: () => 'Two-factor authentication was switched off: logging in takes no code any more.',
  },
  'backup-codes-shown': {
    subject: 'Your Archipay backup codes were shown',
    lineOf: () => 'The backup codes of your two-factor authentication were shown.',
  },
  'email-changed': {
    subject: 'Your e-mail address was changed',
    lineOf: () => 'The e-mail address of your account was changed: this is not it any more.',
  },
  'phone-changed': {
    subject: 'Your phone number was changed',
    lineOf: () => 'The phone number of your account was changed.',
  },
  'password-changed': {
    subject: 'Your Archipay password was changed',
    lineOf: () => 'Your password was changed.',
  },
  'wallet-proven': {
    subject: 'A wallet was added to your Archipay account',
    lineOf: (detail) => `A signature has proven that this wallet is yours: ${detail}.`,
  },
  'wallet-proof-ended': {
    subject: 'A wallet no longer counts as yours at Archipay',
    lineOf: (detail) =>
      `This wallet no longer counts as yours: ${detail}. It was removed, or its key has signed for another account.`,
  },
  'device-added': {
    subject: 'A new device at your Archipay account',
    lineOf: (detail) => `A device was logged in and stays so: ${detail}.`,
  },
  'refresh-token-reused': {
    subject: 'A device was logged out of your Archipay account',
    lineOf: () =>
      'A log-in of one of your devices was used twice, as after a theft. That device was logged out.',
  },
  'passkey-added': {
    subject: 'A passkey was added to your Archipay account',
    lineOf: (detail) => `A passkey was added, which logs its holder in: ${detail}.`,
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your Archipay account',
    lineOf: (detail) => `A passkey was removed: ${detail}.`,
  },
  'passkey-copied': {
    subject: 'A passkey of your Archipay account may have been copied',
    lineOf: () =>
      'A passkey counted its signatures backwards, as a copy does, and was refused. Remove it, and add another.',
  },
};

const SEVERAL = 'Your Archipay account was changed';

/** The advice depends on whether this address is still the account's. */
const RESET = (page: string): Line[] => [
  'If that was not you, ask for a password reset now.',
  'The page that its mail leads to lists what was added to your account and undoes it if you say so.',
  linkLine(page, 'Secure the account'),
];
const ADDRESS_CHANGED = [
  'If that was not you, tell your administrator or Archipay at once: only an operator can give you your account back.',
];

/** One mail for all simultaneous changes; `page` is the page that requests a password reset. */
export function mailOf(
  changes: readonly AccessChange[],
  page: string,
): {
  subject: string;
  text: readonly Line[];
} {
  const [first, ...others] = changes;
  const subject = first && others.length === 0 ? NOTICES[first.what].subject : SEVERAL;
  const moved = changes.some(({ what }) => what === 'email-changed');
  const lines = changes.map(({ what, detail }) => NOTICES[what].lineOf(detail ?? ''));
  return { subject, text: [...lines, '', ...(moved ? ADDRESS_CHANGED : RESET(page))] };
}
