import type { Code } from '../../error.ts';
import { type Guide, guide, ID_OF_YOURS } from './guide.ts';

const NEW_LINK = 'Ask for a new one; a link or code works once and for a limited time.';

/** Who may do what, and how they come in. */
export const ACCESS_GUIDES = {
  INVALID_CODE: guide(
    'The one-time code is wrong, was used before or belongs to something else.',
    'Send the latest code. After several wrong ones, ask for a new one.',
  ),
  CODE_EXPIRED: guide('The one-time code is too old.', NEW_LINK),
  INVALID_PASSWORD: guide(
    'The password is wrong, or a new one does not meet the rules.',
    'Check the password; the message says which rule a new one breaks.',
  ),
  INVALID_TOKEN: guide('The token of a link is not known, or it was used before.', NEW_LINK),
  LINK_EXPIRED: guide('The link is too old.', NEW_LINK),
  EMAIL_EXISTS: guide(
    'A user of this client has that e-mail already.',
    'Log in as that user, or use another e-mail.',
  ),
  TWO_FACTOR_ALREADY_ENABLED: guide(
    'The second factor is on already.',
    'Nothing to do; to replace it, switch it off first.',
  ),
  TWO_FACTOR_NOT_SETUP: guide(
    'No second factor has been set up.',
    'Call POST /2fa/setup first, and enable it with a code of the app.',
  ),
  TWO_FACTOR_NOT_ENABLED: guide('The second factor is off.', 'Enable it with a code of the app.'),
  MISSING_TOKEN: guide(
    "The body has no token of the external log-in's provider.",
    'Send the token as ext_token.',
  ),
  MISSING_USER_ID: guide('The request does not say which user.', 'Send user_id.'),
  NO_WALLET_IN_TOKEN: guide(
    'The external token proves no wallet, or not the one that is to be linked.',
    'Link only a wallet that the token proves; sign in again at the provider with that wallet.',
  ),
  CANNOT_DISCONNECT_PRIMARY: guide(
    'It is the only way for the user to log in.',
    'Link another way to log in, or set a password, before this one is removed.',
  ),
  API_KEY_MISSING: guide(
    'The request has no API key.',
    'Send the key in the header x-api-key, not as a Bearer token.',
  ),
  IP_NOT_ALLOWED: guide(
    'The API key may be used from certain addresses only, and the request came from another one.',
    'Call from an address of its `allowed_ips`, or change the list by PATCH /keys/sdk-key/{api_key} with another key. If the call is not yours, delete the key.',
  ),
  API_KEY_INVALID: guide(
    'The API key is not known, was deleted or has expired.',
    'Check the header x-api-key; make a new key if the old one is gone.',
  ),
  TOKEN_MISSING: guide(
    'The request has no log-in token.',
    'Send the token of POST /auth/login as Authorization: Bearer <token>.',
  ),
  TOKEN_INVALID: guide(
    'The log-in token is not one of this service, was ended, or is for another app.',
    "Send Authorization: Bearer <token> with a token of POST /auth/login; for the rewards app's endpoints one of POST /xusers/login.",
  ),
  TOKEN_EXPIRED: guide('The log-in is too old.', 'Log in again.'),
  INVALID_CREDENTIALS: guide(
    'User and password do not belong together, or the half-finished log-in is not known here.',
    'Check both; finish a log-in with the API key and from the network that began it.',
  ),
  AUTHENTICATION_FAILED: guide(
    'The external token was refused by its provider.',
    'Get a new token from the provider; details.reason says what is wrong.',
  ),
  INVALID_SIGNATURE: guide(
    'The signature does not fit the bytes of the body.',
    'Sign the raw body, before any parsing, with the secret of this service.',
  ),
  FORBIDDEN: guide(
    'The key or user may not do this.',
    "Use a key with the endpoint's scope, or a user with the role.",
  ),
  ACCESS_DENIED: guide("It is another user's.", ID_OF_YOURS),
  ACCOUNT_NOT_ACTIVE: guide(
    'The account is not active: not confirmed yet, rejected, stopped, deactivated or deleted; or its client was stopped.',
    'Confirm the e-mail, finish the verification, or ask the organisation or the operator.',
  ),
  FRESH_LOGIN_REQUIRED: guide(
    'The action changes how the account is entered, and the last proof is more than 5 minutes old.',
    'Send the password or a code with the request, or log in again.',
  ),
  STEP_UP_REQUIRED: guide(
    'The action is dangerous, and the last proof of this admin of the operator is more than 5 minutes old.',
    'Send the password or a code to POST /sessions/prove, at the console to POST /console/session/prove, and repeat the request.',
  ),
  SECOND_FACTOR_REQUIRED: guide(
    'An admin of the operator logged in without a second factor, where one is required.',
    'Call POST /2fa/setup and POST /2fa/enable, and then log in again with a code.',
  ),
  CONFIRMATION_PENDING: guide(
    'The user has not confirmed what an admin asked for.',
    'The user has to open the link in the mail.',
  ),
  CLIENT_NOT_APPROVED: guide(
    'The operator has not let the client in as ACTIVE yet, so that its admins cannot vouch for anybody.',
    'Have people verify themselves by POST /ekyc/idv/token, or ask the operator to approve the client.',
  ),
  USER_NOT_FOUND: guide('There is no such user for this caller.', ID_OF_YOURS),
  CLIENT_NOT_FOUND: guide('There is no such client for this caller.', ID_OF_YOURS),
  AUTH_NOT_FOUND: guide('That way to log in is not linked to the user.', ID_OF_YOURS),
  APPLICANT_NOT_FOUND: guide(
    'The identity provider does not know the person yet.',
    'Begin the verification first.',
  ),
  EMAIL_IN_USE: guide('Another user has that e-mail.', 'Use another one.'),
  ACCOUNT_EXISTS: guide(
    'An account with that e-mail or wallet exists, and is not linked by itself.',
    'Log in to it and link the external log-in there.',
  ),
  MAPPING_EXISTS: guide(
    'The external account belongs to another user already.',
    'Disconnect it there first.',
  ),
  WALLET_ALREADY_LINKED: guide(
    'The wallet is linked to another user already.',
    'Unlink it there first.',
  ),
  REFRESH_INVALID: guide(
    'The refresh token is not known, has ended, or belongs to another device.',
    'Log in again on this device.',
  ),
  REFRESH_REUSED: guide(
    'The refresh token was exchanged before. Since two hold it, its whole log-in was ended.',
    'Log in again, and keep the token that each refresh answers. Where it was not this app twice, the token was stolen.',
  ),
  DEVICE_PROOF_INVALID: guide(
    "The proof of the device's key is missing, too old, or does not fit the request.",
    'Sign this request by the key that the device has registered, with the present time.',
  ),
  PASSKEY_UNKNOWN: guide(
    'The passkey is not registered here, or was removed.',
    'Log in another way, and register the passkey.',
  ),
  ACCOUNT_CLOSING: guide(
    'The account is being closed: nothing new begins in it.',
    'Take the closing back while that is possible, or use another account.',
  ),
  VERIFICATION_REQUIRED: guide(
    'The person is not verified as far as the operation needs.',
    'Begin the verification; details names what is missing.',
  ),
  DEVICE_LIMIT_REACHED: guide(
    'The user has as many devices as are allowed.',
    'Remove one of the devices first.',
  ),
  ACCOUNT_NOT_EMPTY: guide(
    'The account holds money, or something is under way in it.',
    'Pay the money out and wait for what is under way; details names it.',
  ),
  LAST_ADMIN: guide(
    'It is the last admin of the client, who cannot be removed.',
    'Make another user an admin first.',
  ),
  ACCOUNT_LINKED_ELSEWHERE: guide(
    'The account is linked to another user already.',
    'Unlink it there first, or link another account.',
  ),
} satisfies Partial<Record<Code, Guide>>;
