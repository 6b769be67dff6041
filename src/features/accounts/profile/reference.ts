import { OF_MAIL } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const PROFILE_WORDS: FeatureWords = {
  tags: {
    profile: {
      group: 'People',
      text: 'What a person says of themselves, changes of password, address and phone, each with the word of its old owner, the export of everything about a person, and the closing of an account.',
    },
  },
  titles: {
    'profile.changeEmail': 'Begin a change of address',
    'profile.changePhone': 'Begin a change of the phone number',
    'profile.export': 'Ask for everything about a person',
    'profile.close': 'Close an account',
    'profile.cancelClosing': 'Keep an account',
  },
  meanings: {
    time_zone: 'In which days are meant, such as `Asia/Jakarta`',
    sms: 'By SMS',
    push: 'By a message to the phone',
    first_name: 'As on the identity document',
    last_name: 'As on the identity document',
    locale: 'The language of messages: English or Indonesian',
    preferences: 'By which ways news may come',
    export_id: 'The export',
    erases_at: 'When the account is erased, unless it is kept',
    cancelled_at: 'When the account was kept',
    closing: 'Where the account is being closed',
    new_email: 'The new e-mail address',
    new_phone: 'The new phone number',
  },
  values: {
    locale: { en: 'English', id: 'Indonesian' },
    status: { READY: 'There, and can be downloaded' },
  },
  descriptions: {
    'profile.changeEmail':
      'A link of 24 hours goes to the new address. At once the old one gets a notice with a link that undoes it for 72 hours, also after it was confirmed. Users with a second factor send a code of it.',
    'profile.undoEmail':
      'Later changes end with the one that is undone: their links may be in the same hands.',
    'profile.changePhone':
      'A code of five minutes goes to the new number. A message goes to the old one once it is confirmed, and all devices are logged out.',
    'profile.export':
      'A job writes gzipped JSON, `{manifest, parts}`: the manifest has the format `archipay-person-export/1`, and of each part its name, number of rows and SHA-256 of its text. No secrets, and no data of other people.',
    'profile.downloadExport': 'The address is `download_url` of the export. It opens once.',
    'profile.close':
      'The account has to be empty: `details.items` of ACCOUNT_NOT_EMPTY says what is in it. For 14 days all that moves money is 403 `ACCOUNT_CLOSING`; log-in works, and so does POST /profile/close/cancel. After them names, address, phone, devices, passkeys, recipients, notes and messages are erased; books and audit stay under the number.',
    'profile.changePassword':
      'The session of the request goes on. A wrong password counts as a failed log-in.',
  },
  places: {
    'profile.confirmEmail.token': OF_MAIL,
    'profile.undoEmail.token': OF_MAIL,
    'profile.downloadExport.token': OF_MAIL,
    'InTheWay.id': '7',
    'InTheWay.href': '/wallets/fiat/7/explain',
    'InTheWay.type': 'balance',
    'profile.listActivity.action': 'PROFILE_CHANGED',
    'Profile.first_name': 'Ada',
    'Profile.last_name': 'Lovelace',
    'profile.update.first_name': 'Ada',
    'profile.update.last_name': 'Lovelace',
    'profile.changePhone.new_phone': '+12025550123',
  },
  origins: [
    [/^profile\.(confirm|undo)Email\.token$/, 'profile.changeEmail'],
    [/^profile\.confirmPhone\.(otp_id|otp_code)$/, 'profile.changePhone'],
    [/^profile\.cancelClosing$/, 'An account that is being closed: `POST /profile/close`'],
    [/^profile\.downloadExport\./, 'profile.getExport'],
    [/^profile\.getExport\.id$/, 'profile.export'],
    [/^profile\.(change|close)/, 'The password of the caller'],
  ],
};
