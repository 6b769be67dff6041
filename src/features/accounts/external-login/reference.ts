import { LOGIN_TOKEN } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';
import { DEMO_ACCOUNT, DEMO_TOKENS } from '#providers/extauth/demo-tokens.ts';

/** What the reference says of this feature beside its declarations. */
export const EXTERNAL_LOGIN_WORDS: FeatureWords = {
  tags: {
    externalLogin: {
      group: 'People',
      text: 'Log-in with an account or wallet that an external provider has proven.',
    },
  },
  titles: {
    'externalLogin.logIn': 'Log in with a provider’s token',
    'externalLogin.link': 'Link a log-in method',
    'externalLogin.linkWallet': 'Link a wallet as a log-in method',
    'externalLogin.disconnect': 'Disconnect a log-in method',
    'externalLogin.getProfile': 'List log-in methods',
    'externalLogin.getUserProfile': 'List log-in methods of a user',
    'externalLogin.stats': 'Count external log-ins',
    'externalLogin.health': 'Check the external log-in',
  },
  descriptions: {
    'externalLogin.logIn':
      'It takes the token that the external provider has given to the person. A person without an account gets one, in the client of the API key. An e-mail address that has an account already is 409 `ACCOUNT_EXISTS`: log in there and link the external account.',
    'externalLogin.link':
      'Users link an account to themselves; an admin may do it for a person of the own client. Out of mock mode one’s own link needs a proof (password, code, or a log-in of the last five minutes), and that of another person waits until the person confirms it by mail: the answer is 202 with `pending_change`. `external_identity.linked` follows.',
    'externalLogin.linkWallet':
      'Users link a wallet to themselves; an admin may do it for a person of the own client, as at `POST /extauth/auth/link`. Afterwards the wallet proves payments and burns as the user’s own.',
    'externalLogin.stats':
      'An admin sees the figures of the own client, an admin of the operator those of all clients.',
    'externalLogin.health':
      'Any logged-in user may call it. `status` is `degraded` where a setting is missing or the provider does not answer; `issues` names what.',
  },
  places: {
    'ExternalAuth.method': 'google',
    'ConnectedAccount.provider': 'google',
    'ExternalProfile.provider': 'google',
    'externalLogin.health.version': '1.0',
    'externalLogin.logIn.token': LOGIN_TOKEN,
  },
  origins: [
    [/^externalLogin\.(getProfile|getUserProfile)$/, 'externalLogin.link'],
    [
      /^externalLogin\.disconnect$/,
      'Two external log-ins: `POST /extauth/auth/link` and `POST /extauth/auth/link-wallet`',
    ],
  ],
  answers: [
    [/^message_detail$/, 'You can now log in with google'],
    [/^security_notice$/, 'This account no longer logs you in.'],
    [/^environment$/, 'sandbox'],
    [/^service$/, 'external-login'],
  ],
  bodies: () => ({
    'externalLogin.logIn': { ext_token: DEMO_TOKENS.newcomer },
    'externalLogin.link': { ext_token: DEMO_TOKENS.account },
    'externalLogin.linkWallet': { ext_token: DEMO_TOKENS.wallet },
    'externalLogin.disconnect': { ext_user_id: DEMO_ACCOUNT },
  }),
};
