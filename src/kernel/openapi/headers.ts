import { IDEMPOTENCY_KEY_MAX } from '../http/answer/idempotency.ts';
import { API_PREFIX } from '../http/declare/prefix.ts';
import { OUTCOME_HEADER, RETRY_HEADER, RETRY_MS_HEADER } from '../http/declare/retrying.ts';
import { API_VERSIONS, VERSION_HEADER } from '../http/serve/versions.ts';
import type { DocumentParts } from './parts.ts';
import type { DocumentJson } from './plain-schema.ts';

const VERSION = {
  type: 'string',
  enum: API_VERSIONS.map(({ version }) => version),
  'x-enum-descriptions': Object.fromEntries(
    API_VERSIONS.map(({ version, changes }) => [version, changes.join(' ')]),
  ),
};

const whole = { type: 'integer', minimum: 0 };

const HEADERS = {
  'x-request-id': {
    description: 'Names the request, also in our logs: the one that was sent, else a new one',
    schema: { type: 'string' },
  },
  [VERSION_HEADER]: {
    description: 'The version of the API that the answer is of',
    schema: VERSION,
  },
  'x-ratelimit-limit': {
    description: 'How many requests the budget has that this one drew on',
    schema: whole,
  },
  'x-ratelimit-remaining': { description: 'How many of them are left', schema: whole },
  'x-ratelimit-reset': {
    description: 'When all of them are there again, in seconds since 1970',
    schema: whole,
  },
  'retry-after': {
    description: 'How many seconds to wait before trying again',
    schema: whole,
  },
  [RETRY_MS_HEADER]: {
    description: 'The same in milliseconds, which is exact where the wait is short',
    schema: whole,
  },
  [RETRY_HEADER]: {
    description:
      'Whether the same request, under the same `Idempotency-Key`, may be answered otherwise later: for each code ' +
      'it is in `x-archipay-codes`',
    schema: {
      type: 'string',
      enum: ['true', 'false'],
      'x-enum-descriptions': { true: 'It may succeed later', false: 'It gets the same again' },
    },
  },
  [OUTCOME_HEADER]: {
    description: 'Of a request that was to change something: what is known of it',
    schema: {
      type: 'string',
      enum: ['decided', 'not-begun', 'unknown'],
      'x-enum-descriptions': {
        decided: 'The operation under this key has ended, and this is its answer',
        'not-begun': 'This request began nothing; that says nothing of earlier ones',
        unknown: 'It may have been carried out: repeat it under the same key',
      },
    },
  },
  'idempotent-replayed': {
    description: 'Only on the answer of an earlier request under the same `Idempotency-Key`',
    schema: { const: 'true' },
  },
  link: {
    description: 'Where the list goes on: `<address>; rel="next"`. Not there on the last page',
    schema: { type: 'string' },
  },
  'x-ignored-fields': {
    description:
      'Fields of the body that the endpoint does not know and has left out, if there are any',
    schema: { type: 'string' },
    example: 'curency, note',
  },
  deprecation: {
    description: 'Since when the endpoint should not be used any more: `@` and seconds since 1970',
    schema: { type: 'string' },
  },
  sunset: {
    description: 'When the endpoint may go, as an HTTP date',
    schema: { type: 'string' },
  },
} as const;
type HeaderName = keyof typeof HEADERS;

/** Of every answer below the API's prefix. */
export const ALWAYS: readonly HeaderName[] = [
  'x-request-id',
  VERSION_HEADER,
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

interface Which {
  /** Those that every answer has, too. */
  readonly always?: boolean;
  /** It is a failure. */
  readonly fails?: boolean;
  /** It is over later. */
  readonly waits?: boolean;
  /** It may be the answer of an earlier request. */
  readonly replays?: boolean;
  /** It may be a page of a list. */
  readonly pages?: boolean;
  /** It may leave fields of a body out. */
  readonly ignores?: boolean;
  /** Its endpoint is deprecated. */
  readonly leaves?: boolean;
}

/**
 * The headers of an answer, each once in the document. Those of every answer stand at the `default` one alone and in
 * `x-archipay-headers`: beside each answer they would be a tenth of the document.
 */
export function answerHeaders(
  parts: DocumentParts,
  { always, fails, waits, replays, pages, ignores, leaves }: Which = {},
): DocumentJson {
  const names: HeaderName[] = always ? [...ALWAYS] : [];
  if (fails) names.push(RETRY_HEADER, OUTCOME_HEADER);
  if (waits) names.push('retry-after', RETRY_MS_HEADER);
  if (replays) names.push('idempotent-replayed');
  if (pages) names.push('link');
  if (ignores) names.push('x-ignored-fields');
  if (leaves) names.push('deprecation', 'sunset');
  return Object.fromEntries(
    names.map((name) => [name, parts.ref('headers', name, headerOf(parts, name))]),
  );
}

/** Where a list goes on is an address of this service. */
const headerOf = ({ publicUrl }: DocumentParts, name: HeaderName): DocumentJson =>
  name === 'link'
    ? { ...HEADERS.link, example: `<${publicUrl}${API_PREFIX}/events?before=4711>; rel="next"` }
    : HEADERS[name];

const IDEMPOTENCY_KEY: DocumentJson = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX },
  description:
    'The same key with the same body answers the same again, for 24 hours. The order of its fields does not matter.',
};

/** The header of a changing request, which what moves money requires where it is not of the contract. */
export const keyParameter = (parts: DocumentParts, isRequired: true | undefined): DocumentJson =>
  isRequired
    ? parts.ref('parameters', 'RequiredIdempotencyKey', { ...IDEMPOTENCY_KEY, required: true })
    : parts.ref('parameters', 'IdempotencyKey', IDEMPOTENCY_KEY);

export const API_VERSION: DocumentJson = {
  name: VERSION_HEADER,
  in: 'header',
  schema: VERSION,
  description:
    'The version of the API that the request is written for, instead of that of its key.',
};
