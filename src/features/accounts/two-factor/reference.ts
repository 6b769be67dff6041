import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const AUTHENTICATOR = 'the authenticator app that `POST /2fa/setup` has set up';
/** What the reference says of this feature beside its declarations. */
export const TWO_FACTOR_WORDS: FeatureWords = {
  tags: {
    twoFactor: {
      group: 'People',
      text: 'A second factor: an authenticator app, and backup codes for when it is lost.',
    },
  },
  titles: {
    'twoFactor.setUp': 'Set up a second factor',
    'twoFactor.enable': 'Enable the second factor',
    'twoFactor.disable': 'Disable the second factor',
    'twoFactor.getStatus': 'Get the status of the second factor',
    'twoFactor.audit': 'List changes of the second factor',
    'twoFactor.verifyLogIn': 'Check a log-in code',
  },
  descriptions: {
    'twoFactor.setUp':
      'A user calls it for the own account. Out of mock mode it needs a proof: the password, a code, or a log-in of the last five minutes. The answer shows secret and backup codes once; nothing changes until `POST /2fa/enable` has taken a code of the app.',
    'twoFactor.getStatus': 'Users read it of their own account.',
    'twoFactor.audit': 'Users read it of their own account.',
  },
  places: {
    'twoFactor.audit.action': 'enabled',
    'twoFactor.setUp.secret': 'VN3FJFRJ2KHHKTJNTMSVSCXUMIFZEXBD',
    'twoFactor.enable.token': '123456',
    'twoFactor.disable.token': '123456',
    'twoFactor.verifyLogIn.token': '123456',
  },
  origins: [
    [/^twoFactor\.(enable|disable|verifyLogIn)\.token$/, AUTHENTICATOR],
    [/^twoFactor\.listBackupCodes$/, 'A second factor that is switched on: `POST /2fa/enable`'],
  ],
  answers: [
    [/^manual_entry_key$/, 'VN3FJFRJ2KHHKTJNTMSVSCXUMIFZEXBD'],
    [/^qr_code$/, 'data:image/png;base64,iVBORw0KGgo…'],
    [/^issuer$/, 'Archipay'],
    [/^failure_reason$/, 'invalid_code'],
  ],
};
