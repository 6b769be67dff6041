import type { Code } from '../../error.ts';
import { type Guide, guide } from './guide.ts';

/** What is wrong with a request itself. */
export const REQUEST_GUIDES = {
  VALIDATION_ERROR: guide(
    'A field of the request is missing or has the wrong form, or the body is nested too deeply or has too many values.',
    'Correct what the message and details name; the reference shows the form of each field with an example.',
  ),
  MALFORMED_JSON: guide(
    'The body is not JSON in UTF-8.',
    'Send a JSON object in UTF-8, with Content-Type: application/json.',
  ),
  DUPLICATE_FIELD: guide(
    'An object of the body has the same field twice, so that two readers may understand two things.',
    'Send each field once.',
  ),
  UNKNOWN_FIELD: guide(
    'The body has a field that the endpoint does not know. Where money moves it is refused, for it may be one that says where to.',
    'Correct or remove the field; the hint names those that the endpoint takes. Nothing was done.',
  ),
  REFERENCE_IN_USE: guide(
    'Another thing of this kind has the reference already. A reference is unique for a client and a kind of thing for ever, also after a failure.',
    'Send another reference; or, to repeat a request whose answer was lost, send it with the same Idempotency-Key.',
  ),
  VERSION_CONFLICT: guide(
    'The thing was changed since it was read: its version is another one than the request says.',
    'Read it, apply the change to what it is now, and send the version that details names. Nothing was changed.',
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
  NUMBER_NOT_SERVED: guide(
    'Messages are not sent to numbers of that country or form.',
    'Send the number with its country code, or use another channel.',
  ),
  PRICE_UNREADABLE: guide(
    'No price with a currency could be read from the text for certain.',
    'Send the price as the shop shows it, with its currency: "Rp 1.234.567", "$1,234.50".',
  ),
  NOT_FOUND: guide(
    'There is nothing at that address, or nothing that this caller may see.',
    'Check the id or name, and that it belongs to the user or client whose key and token you send.',
  ),
  UNKNOWN_VERSION: guide(
    'The header archipay-version names a version that there is not, or not any more.',
    'Send one of those that the hint names, or none: a key is answered in the version it was made for.',
  ),
  METHOD_NOT_ALLOWED: guide(
    'The path exists, with other methods.',
    'Use one of the methods in the Allow header.',
  ),
  CONFLICT: guide(
    'The name exists already, or somebody else has changed the object meanwhile.',
    'Read it again, then decide.',
  ),
  IDEMPOTENCY_IN_PROGRESS: guide(
    'The first request with this Idempotency-Key is still under way.',
    'Wait a moment and repeat it with the same key and body.',
  ),
  IDEMPOTENCY_ANSWER_NOT_KEPT: guide(
    'The request was carried out. Its answer held a secret, which only a repetition with the same credentials and body can open.',
    'Repeat it with the credentials it was first sent with, or read the object, or make a new secret under a new key.',
  ),
  EVENTS_EXPIRED: guide(
    'The place in the event log is older than what is kept.',
    'Go on from the oldest sequence that details names, and read the objects again for what was missed.',
  ),
  PAYLOAD_TOO_LARGE: guide(
    'The body is larger than the endpoint takes.',
    'Send at most 64 KiB, or 1 MiB where the reference says so.',
  ),
  UNSUPPORTED_MEDIA_TYPE: guide(
    'The body is not declared as JSON in UTF-8, or it is compressed.',
    'Send JSON in UTF-8 with Content-Type: application/json and without Content-Encoding; neither forms nor plain text are read.',
  ),
  IDEMPOTENCY_KEY_REUSED: guide(
    'The Idempotency-Key was used with another body.',
    'Use a new key for a new operation; repeat an old one with the same fields and values.',
  ),
  RATE_LIMITED: guide(
    'Too many requests in the window.',
    'Wait for the seconds in Retry-After; X-RateLimit-Remaining shows what is left.',
  ),
  PAGE_UNREADABLE: guide(
    'The page could not be fetched, or says nothing of a product and its price that machines can read.',
    'Check the address in a browser; use the page of one product. details says what was wrong.',
  ),
  IDEMPOTENCY_KEY_REQUIRED: guide(
    'The request moves money and names no Idempotency-Key, so that a repetition would move it twice.',
    'Send the header Idempotency-Key with a new value for each operation, such as a UUID, and the same one with each repetition.',
  ),
  CONTENT_CHANGED: guide(
    'The content is not the one that was looked at: its hash is another one.',
    'Read it again and decide about what it says now.',
  ),
  FILE_IN_USE: guide(
    'Something names the file: it cannot be deleted.',
    'Remove the file there first, or leave it.',
  ),
} satisfies Partial<Record<Code, Guide>>;
