import type { Code } from './error.ts';

/** What a caller who meets a failure wants to know. */
export interface Guide {
  /** Why it is answered. */
  readonly cause: string;
  /** What to do about it: the `hint` on the wire. */
  readonly cure: string;
}

const guide = (cause: string, cure: string): Guide => ({ cause, cure });

const AGAIN_LATER =
  'Repeat the request after the seconds in Retry-After, with the same Idempotency-Key.';
const OURS = 'Repeat it once with the same Idempotency-Key; if it stays, report the request_id.';
const ID_OF_YOURS =
  'Check the id, and that it belongs to the user or client whose key and token you send.';
const NEW_LINK = 'Ask for a new one; a link or code works once and for a limited time.';

/** Every code with its cause and cure: the hints, and the pages under `/docs/errors`. */
export const GUIDES: Readonly<Record<Code, Guide>> = {
  VALIDATION_ERROR: guide(
    'A field of the request is missing, has the wrong form or is not known.',
    'Correct the fields named in details; the reference shows the form of each with an example.',
  ),
  MALFORMED_JSON: guide(
    'The body is not JSON, or it is nested too deeply.',
    'Send a JSON object in UTF-8, with Content-Type: application/json.',
  ),
  MISSING_FIELDS: guide(
    'Required fields are not in the body.',
    'Add the fields that the message names; look for misspelt ones.',
  ),
  INVALID_AMOUNT: guide(
    'The amount is not positive, or has more decimals than its currency.',
    'Send an exact decimal such as "12.50" with no more digits than the currency has.',
  ),
  INVALID_WALLET_FORMAT: guide(
    'The wallet address does not have the form of its network.',
    'Compare it with details.example, and the network with details.supported.',
  ),
  INVALID_WALLET_ID: guide(
    'The wallet id is not a positive whole number.',
    'Use the id that the list of wallets answers.',
  ),
  INVALID_PAGINATION: guide(
    'limit or offset is outside its range.',
    'Use a limit from 1 to 100 and an offset from 0, or follow the Link header.',
  ),
  INVALID_TX_HASH: guide(
    'The transaction hash does not have the form of its chain.',
    'Send the whole hash as the chain shows it; on EVM chains 0x and 64 hexadecimal digits.',
  ),
  CONFIRMATION_REQUIRED: guide(
    'The action cannot be undone and was not confirmed, or the confirmation does not belong to it.',
    'Ask the person, then repeat the request with the confirmation that the answer asks for.',
  ),
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
  INSUFFICIENT_BALANCE: guide(
    'The wallet has less than the amount and its fees, after what is held for payments under way.',
    'Read the balance, add money or send less.',
  ),
  INSUFFICIENT_FUNDS: guide(
    'The card or wallet has less than the amount and its fees.',
    'Use another card, add money or send less; details says what is required where it is known.',
  ),
  AMOUNT_BELOW_MINIMUM: guide(
    'The amount is below the least that is taken.',
    'Send at least what the message names.',
  ),
  LIMIT_EXCEEDED: guide(
    'The amount is above a limit for one payment, one day or one user.',
    'Send less, or wait until the limit begins anew; the message says which one it is.',
  ),
  FEE_BELOW_FLOOR: guide(
    "A client's fees may not be below those of the platform.",
    'Raise them to at least what details names.',
  ),
  NUMBER_NOT_SERVED: guide(
    'Messages are not sent to numbers of that country or form.',
    'Send the number with its country code, or use another channel.',
  ),
  PROVIDER_REJECTED: guide(
    'The provider or chain refused for certain; nothing was moved.',
    'The message names the reason: correct it and start a new operation.',
  ),
  PRICE_UNREADABLE: guide(
    'No price with a currency could be read from the text for certain.',
    'Send the price as the shop shows it, with its currency: "Rp 1.234.567", "$1,234.50".',
  ),
  INVALID_STATUS: guide(
    'The object is in a state from which this step is not possible.',
    'Read the object; the step may have been done already.',
  ),
  TOKEN_NOT_SUPPORTED: guide(
    'The token is not known on that chain.',
    'Use USDC or the native coin, or import the token first.',
  ),
  NO_PSP_FOR_COUNTRY: guide(
    'No payment provider serves that country.',
    'Use one of the countries that GET /users/countries lists.',
  ),
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
  CARD_DECLINED: guide(
    'The bank of the card declined.',
    'Do not repeat it as it is: details.reason says why; ask for another card.',
  ),
  FORBIDDEN: guide(
    'The key or user may not do this.',
    "Use a key with the endpoint's scope, or a user with the role.",
  ),
  ACCESS_DENIED: guide("It is another user's.", ID_OF_YOURS),
  WALLET_ACCESS_DENIED: guide('The user has no such wallet.', ID_OF_YOURS),
  ACCOUNT_NOT_ACTIVE: guide(
    'The account is not active: not confirmed yet, rejected, deactivated or deleted.',
    'Confirm the e-mail, finish the verification, or ask the organisation.',
  ),
  FRESH_LOGIN_REQUIRED: guide(
    'The action changes how the account is entered, and the last proof is more than 5 minutes old.',
    'Send the password or a code with the request, or log in again.',
  ),
  RECONCILIATION_FAILED: guide(
    'Our books and those of the provider differ, so nothing is paid out.',
    'Wait: an operator has to resolve the difference first.',
  ),
  CONFIRMATION_PENDING: guide(
    'The user has not confirmed what an admin asked for.',
    'The user has to open the link in the mail.',
  ),
  NOT_FOUND: guide(
    'There is nothing at that address, or nothing that this caller may see.',
    'Check method and path: all of the API is below /api. Check ids, too.',
  ),
  USER_NOT_FOUND: guide('There is no such user for this caller.', ID_OF_YOURS),
  CLIENT_NOT_FOUND: guide('There is no such client for this caller.', ID_OF_YOURS),
  WALLET_NOT_FOUND: guide('There is no such wallet for this caller.', ID_OF_YOURS),
  NO_PRIMARY_WALLET: guide(
    'The user has no primary withdrawal wallet.',
    'Save one with set_as_primary first.',
  ),
  JOB_NOT_FOUND: guide('There is no such conversion for this caller.', ID_OF_YOURS),
  TRANSACTION_NOT_FOUND: guide(
    'The transaction is not known, on the chain or here.',
    'Check the hash and the chain; a new transaction may need some seconds.',
  ),
  AUTH_NOT_FOUND: guide('That way to log in is not linked to the user.', ID_OF_YOURS),
  APPLICANT_NOT_FOUND: guide(
    'The identity provider does not know the person yet.',
    'Begin the verification first.',
  ),
  METHOD_NOT_ALLOWED: guide(
    'The path exists, with other methods.',
    'Use one of the methods in the Allow header.',
  ),
  CONFLICT: guide(
    'The name exists already, or somebody else has changed the object meanwhile.',
    'Read it anew and decide again.',
  ),
  PRICE_CHANGED: guide(
    'The price is not the one that was quoted, or the quote is too old.',
    'Ask for the price again and show it to the person before ordering.',
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
  CHAIN_EXISTS: guide(
    'The wallet has an address on that chain already.',
    'Use that address: a wallet has one on each chain.',
  ),
  TOKEN_ALREADY_EXISTS: guide('The token has been imported already.', 'Nothing to do.'),
  IDEMPOTENCY_IN_PROGRESS: guide(
    'The first request with this Idempotency-Key is still under way.',
    'Wait a moment and repeat it with the same key and body.',
  ),
  IDEMPOTENCY_ANSWER_NOT_KEPT: guide(
    'The request was carried out; its answer held a secret and is given only once.',
    'Do not repeat it. Read the object, or make a new secret under a new key.',
  ),
  EVENTS_EXPIRED: guide(
    'The place in the event log is older than what is kept.',
    'Go on from the oldest sequence that details names, and read the objects anew for what was missed.',
  ),
  PAYLOAD_TOO_LARGE: guide(
    'The body is larger than the endpoint takes.',
    'Send at most 64 KiB, or 1 MiB where the reference says so.',
  ),
  UNSUPPORTED_MEDIA_TYPE: guide(
    'The body is not declared as JSON.',
    'Send Content-Type: application/json.',
  ),
  IDEMPOTENCY_KEY_REUSED: guide(
    'The Idempotency-Key was used with another body.',
    'Use a new key for a new operation; repeat an old one with exactly its body.',
  ),
  RATE_LIMITED: guide(
    'Too many requests in the window.',
    'Wait for the seconds in Retry-After; X-RateLimit-Remaining shows what is left.',
  ),
  INTERNAL: guide('Something failed that nobody foresaw; it is recorded.', OURS),
  PAGE_UNREADABLE: guide(
    'The page could not be fetched, or says nothing of a product and its price that machines can read.',
    'Check the address in a browser; use the page of one product. details says what was wrong.',
  ),
  SEARCH_FAILED: guide('No marketplace answered.', AGAIN_LATER),
  CHAT_UNAVAILABLE: guide('The language model does not answer.', AGAIN_LATER),
  HEALTH_CHECK_FAILED: guide('The area does not work at the moment.', AGAIN_LATER),
  STATS_ERROR: guide('The figures could not be read.', OURS),
  ORIGINAL_NOT_FOUND: guide(
    'There is no such payment to be refunded.',
    'Check the reference. Despite its status the answer is final: do not repeat it.',
  ),
  ALREADY_REFUNDED: guide(
    'The payment was refunded before.',
    'Nothing to do. Despite its status the answer is final: do not repeat it.',
  ),
  DISBURSEMENT_FAILED: guide(
    'The transfer to the exchange was refused; the money is back in the wallet.',
    'Read the job: it says why.',
  ),
  DAILY_CONVERSION_FAILED: guide(
    'Our books and those of the provider differ, so the run was not begun.',
    'An operator has to resolve the difference first.',
  ),
  JOB_EXECUTION_FAILED: guide(
    'The conversion is not in a state for this step, or the step failed.',
    'Read the job: its status and reason say what is next.',
  ),
  NOT_READY: guide('What the request needs is not there yet.', AGAIN_LATER),
  PROVIDER_UNAVAILABLE: guide(
    'A provider or chain does not answer. Nothing is taken for failed: what may have happened is looked up.',
    AGAIN_LATER,
  ),
  PROVIDER_NOT_CONFIGURED: guide(
    'The operator has not set up the provider that this needs.',
    'Ask the operator of this service: its start and /health/ready name what is not configured.',
  ),
  OVERLOADED: guide('The service has no room for the request at the moment.', AGAIN_LATER),
  SHUTTING_DOWN: guide('The process is being stopped; another one answers.', AGAIN_LATER),
};
