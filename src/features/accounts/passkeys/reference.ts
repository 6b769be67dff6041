import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const CREDENTIAL = 'c2FtcGxlLWNyZWRlbnRpYWwtb2YtYS1wYXNza2V5';
const OF_BROWSER = 'What `navigator.credentials` of the browser has answered';

/** What the reference says of this feature beside its declarations. */
export const PASSKEYS_WORDS: FeatureWords = {
  tags: {
    passkeys: {
      group: 'People',
      text: 'Passkeys (WebAuthn): a person logs in, and proves a payment, by the fingerprint, face or PIN of a device.',
    },
  },
  titles: {
    'passkeys.beginLogIn': 'Begin a log-in by passkey',
    'passkeys.getRegistrationOptions': 'Begin with a new passkey',
    'passkeys.logIn': 'Log a device in by passkey',
  },
  descriptions: {
    'passkeys.getRegistrationOptions':
      'Give `options` to `PublicKeyCredential.parseCreationOptionsFromJSON()`, and send what comes back within five minutes. Out of mock mode it needs the password, a code or a fresh log-in.',
    'passkeys.beginLogIn':
      'Give `options` to `PublicKeyCredential.parseRequestOptionsFromJSON()`. The challenge counts once, for five minutes, for the key and network that asked.',
    'passkeys.logIn':
      'The header `DPoP` is a proof by the device’s key, as for `POST /mobile/login`. An authenticator whose count of signatures goes back is refused, and its owner is mailed.',
    'passkeys.delete': 'Out of mock mode it needs the password, a code or a fresh log-in.',
  },
  meanings: {
    options: 'What the authenticator is asked (WebAuthn, as JSON)',
    response: OF_BROWSER,
    rawId: 'The id of the credential, in base64url',
    clientExtensionResults: 'As the browser has answered it',
    authenticatorAttachment: 'As the browser has answered it',
    passkey_id: 'The passkey, as we call it',
  },
  places: {
    'PasskeyResponse.id': CREDENTIAL,
    'PasskeyResponse.rawId': CREDENTIAL,
    'Passkey.name': 'Ada’s laptop',
    'passkeys.create.name': 'Ada’s laptop',
    'passkeys.update.name': 'Ada’s old laptop',
  },
  origins: [
    [/^passkeys\.create\.(challenge_id|response|id|rawId)$/, 'passkeys.getRegistrationOptions'],
    [/^passkeys\.logIn\.(challenge_id|response|id|rawId)$/, 'passkeys.beginLogIn'],
    [/^passkeys\.(update|delete)\.passkey_id$/, 'passkeys.create'],
  ],
};
