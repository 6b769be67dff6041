import { OF_MAIL } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const MAIL = 'the link in the mail';
/** What the reference says of this feature beside its declarations. */
export const USERS_WORDS: FeatureWords = {
  tags: {
    users: {
      group: 'People',
      text: 'The people of a client: their profile, their terms, and what others ask for in their name.',
    },
  },
  titles: {
    'users.reportVerification': 'Report a verification',
    'users.requestCode': 'Request a one-time code',
    'users.getTermsLink': 'Get a link to the terms',
    'users.acceptTerms': 'Accept the terms',
    'users.confirm': 'Open the confirmation page',
    'users.confirmAddress': 'Confirm an e-mail address',
    'users.resendConfirmation': 'Send the confirmation again',
    'users.confirmChange': 'Decide a pending change',
    'users.cancelChange': 'Cancel a pending change',
  },
  descriptions: {
    'users.get':
      'Users read themselves; an admin reads the people of the own client, and the operator reads everybody.',
    'users.list':
      'An admin sees the people of the own client, the operator those of all clients. Sums are in the currency of the client at the market’s rate of now; `unconverted` names currencies without a rate, and these are left out of the sums. Of `total_balance`, `available` is what can be spent: less what is held for payments under way and what is owed, and nothing of frozen wallets.',
    'users.listCountries':
      'The answer has the country codes that `country_code` of a new client or user may have.',
    'users.logOut':
      'A user ends the own session. Its token is refused at once, in all processes. `session.revoked` follows.',
    'users.reportVerification':
      'The payment service provider calls it with its own key. The newest decision counts: a report that is older than the present status changes nothing. `verification.approved`, `verification.rejected` or `verification.pending` follows where the status has changed.',
    'users.updateProfile':
      'Users change their own profile; an admin may change that of a person of the own client. `current_password` and `otp_code` (from `POST /users/request-otp`, where the setting asks for it) are always the caller’s own. Out of mock mode a new e-mail address that an admin enters for another person waits until that person confirms it by mail. `user.updated` follows.',
    'users.requestCode':
      'Any API key may call it. The code goes to the telephone number of the user’s profile and is good for one change of the profile. Out of mock mode the next code can be requested after 30 seconds.',
    'users.getTermsLink':
      'Users get their own link; an admin may get that of a person of the own client. The page behind it shows the terms that are in force and records when the user accepts them.',
    'users.resendConfirmation':
      'Anybody may call it. The answer is the same for every address, so that it does not show which addresses have an account. At most five links are valid at the same time.',
  },
  places: {
    'users.confirm.token': OF_MAIL,
    'users.confirmAddress.token': OF_MAIL,
    'users.acceptTerms.token': OF_MAIL,
  },
  origins: [
    [/^users\.(confirm|confirmAddress|confirmChange)\.token$/, MAIL],
    [/^users\.acceptTerms\.token$/, 'users.getTermsLink'],
  ],
  answers: [
    [/^otp$/, '731296'],
    [/^unconverted$/, 'VND'],
  ],
  meanings: {
    total_volume: 'Of all that has come in and gone out, with its currency',
    total_balance: 'Of all wallets, with its currency',
  },
};
