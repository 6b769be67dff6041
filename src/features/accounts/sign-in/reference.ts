import { LOGIN_TOKEN, OF_MAIL } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const AUTHENTICATOR = 'the authenticator app that `POST /2fa/setup` has set up';
const MAIL = 'the link in the mail';
/** What the reference says of this feature beside its declarations. */
export const SIGN_IN_WORDS: FeatureWords = {
  tags: {
    auth: {
      group: 'Start',
      text: 'Log-in with a password, and with a second factor where one is set up. Answers the token.',
    },
    password: { group: 'People', text: 'A new password by mail, for those who have lost theirs.' },
  },
  titles: {
    'auth.completeLogIn': 'Complete log-in',
    'auth.logIn': 'Log in',
    'password.requestReset': 'Request a reset link',
    'password.requestWithoutKey': 'Request a reset link without a key',
    'password.reset': 'Set a new password',
  },
  descriptions: {
    'auth.logIn':
      'It takes the user’s name or e-mail address and the password. The answer has a token for the header `Authorization`; where a second factor is enabled it has none, and `POST /auth/complete-login` takes the code. After repeated wrong passwords the account answers more slowly. `session.opened` follows.',
    'password.requestReset':
      'Any API key may call it. The answer is the same for every address. The link of the mail leads to a page that sets the new password, and can remove the log-in methods and keys that were added since the last reset.',
    'password.requestWithoutKey':
      'The page `/forgotten-password` calls it. It answers as `POST /password/request_reset` does and has the same limits.',
  },
  places: {
    'LoggedIn.token': LOGIN_TOKEN,
    'password.reset.token': OF_MAIL,
  },
  origins: [
    [/^auth\.completeLogIn\.two_fa_token$/, AUTHENTICATOR],
    [/^password\.reset\.token$/, `${MAIL} of \`POST /password/request_reset\``],
  ],
  meanings: {
    new_password: '8 characters or more',
  },
};
