import type { ErrorObject } from 'ajv';
import type { FastifyError } from 'fastify';
import type { TSchema } from 'typebox';
import { AppError, type Code, fail } from '#kernel/error.ts';
import { isDatabaseUnavailable } from '../../db/sql-errors.ts';
import { isNames } from './caller-names.ts';
import type { Fault, Route } from './route.ts';

/** What Fastify itself refuses, by the status it gives. */
const BY_STATUS: Readonly<Record<number, [Code, string]>> = {
  404: ['NOT_FOUND', 'Not found'],
  405: ['METHOD_NOT_ALLOWED', 'Method not allowed'],
  408: ['VALIDATION_ERROR', 'The request took too long to arrive'],
  413: ['PAYLOAD_TOO_LARGE', 'Body is too large'],
  414: ['VALIDATION_ERROR', 'Address is too long'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json'],
  429: ['RATE_LIMITED', 'Rate limit exceeded'],
  431: ['VALIDATION_ERROR', 'Headers are too large'],
};

/** Any thrown error as the one that callers see. Foreign texts never leave. */
export function toAppError(error: unknown, route: Route | undefined): AppError {
  if (error instanceof AppError) return error;
  const { validation, validationContext, statusCode, code: name } = error as FastifyError;
  if (validation) {
    const body = validationContext === 'body' ? route?.endpoint.body : undefined;
    return invalid(validation as ErrorObject[], route, body);
  }
  if (name === 'FST_ERR_BAD_URL')
    return fail('VALIDATION_ERROR', 'Address is not encoded correctly', { hint: ENCODING });
  if (statusCode !== undefined && statusCode < 500) {
    const [code, message] = BY_STATUS[statusCode] ?? ['VALIDATION_ERROR', 'Bad request'];
    return fail(code, message, { status: statusCode });
  }
  if (isDatabaseUnavailable(error))
    return fail('OVERLOADED', 'Service temporarily unavailable, try again shortly', {
      retryAfter: AWAY_S,
      cause: error,
    });
  return fail('INTERNAL', route?.endpoint.fault ?? 'Internal server error', {
    details: 'Unforeseen failure, recorded under this request_id',
    cause: error,
  });
}

const ENCODING =
  'Write % itself as %25; any other one has two hexadecimal digits after it, of UTF-8.';

/** A database that restarts or fails over is back after a few seconds. */
const AWAY_S = 3;

/** More are of no use, and a body of many mistakes must not make an answer of many more. */
const FAULTS_MAX = 50;

function invalid(
  errors: readonly ErrorObject[],
  route: Route | undefined,
  body: TSchema | undefined,
): AppError {
  const faults = distinct(errors.slice(0, FAULTS_MAX).map((e) => faultOf(e, body)));
  const declared = route?.endpoint.invalid;
  if (route?.endpoint.creates !== undefined && faults.every(({ field }) => isNames(field)))
    return badFields(faults);
  if (typeof declared === 'function') return declared(faults);
  // The contract's text says what is required; it would mislead where something optional is wrong.
  if (typeof declared === 'string' && !(body && onlyOptional(faults, body)))
    return fail('VALIDATION_ERROR', declared, { details: detailsOf(faults) });
  return badFields(faults);
}

/** For `invalid`: what is said where the contract says nothing. */
export const badFields = (faults: readonly Fault[]): AppError =>
  fail('VALIDATION_ERROR', describe(faults), { details: detailsOf(faults) });

function faultOf(e: ErrorObject, body: TSchema | undefined): Fault {
  const absent = e.keyword === 'required';
  const place = e.instancePath.slice(1).replaceAll('/', '.');
  const lacking = absent ? String(e.params['missingProperty']) : '';
  return {
    field: [place, lacking].filter(Boolean).join('.') || 'body',
    missing: absent || (isNothing(e.data) && fieldsOf(body).required.includes(place)),
    received: absent ? undefined : e.data,
    message: complaint(e),
  };
}

/** Empty: an empty required field counts like a missing one. */
const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

/** Each once: what is blank breaks two rules and is one mistake. */
const distinct = (faults: readonly Fault[]) =>
  faults.filter(
    (one, i, all) =>
      all.findIndex(({ field, message }) => field === one.field && message === one.message) === i,
  );

const detailsOf = (faults: readonly Fault[]) =>
  faults.map(({ field, message }) => ({ field, message }));

function fieldsOf(body: TSchema | undefined) {
  const { properties = {}, required = [] } = (body ?? {}) as {
    properties?: object;
    required?: readonly string[];
  };
  return { properties, required };
}

function onlyOptional(faults: readonly Fault[], body: TSchema): boolean {
  const { properties, required } = fieldsOf(body);
  return faults.every(({ field }) => {
    const [name = ''] = field.split('.');
    return name in properties && !required.includes(name);
  });
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  'time-zone': 'must be the IANA name of a time zone, such as Asia/Jakarta',
  'date-time': 'must be a date and time as in RFC 3339, such as 2026-01-31T09:30:00Z',
  uuid: 'must be a UUID, such as 1b4e28ba-2fa1-4d2b-883f-0016d3cca427',
  uri: 'must be a whole address, such as https://example.com/hook',
};

/** What is wrong, for people: they know nothing of our patterns. */
export function complaint(fault: ErrorObject): string {
  const { keyword, params, message = 'is invalid' } = fault;
  if (keyword === 'required') return 'is required';
  if (keyword === 'enum') return `must be one of ${params['allowedValues'].join(', ')}`;
  if (keyword === 'minLength')
    return params['limit'] === 1 ? BLANK : `must have at least ${params['limit']} characters`;
  if (keyword === 'maxLength') return `must have at most ${params['limit']} characters`;
  if (keyword === 'minItems') return `must have ${entries(params['limit'], 'at least')}`;
  if (keyword === 'maxItems') return `must have ${entries(params['limit'], 'at most')}`;
  if (keyword === 'format') return FORMATS[params['format']] ?? message;
  if (keyword !== 'pattern') return message;
  return params['pattern'] === '\\S' ? BLANK : wrongForm(fault);
}

const entries = (count: number, bound: string): string =>
  `${bound} ${count} ${count === 1 ? 'entry' : 'entries'}`;

const BLANK = 'must not be blank';

/** `does not have the right form: MMYY, such as 1232`, as far as the schema says it. */
function wrongForm({ parentSchema = {} }: ErrorObject): string {
  const { description, examples } = parentSchema as { description?: string; examples?: unknown[] };
  const said = description === undefined ? '' : `: ${description}`;
  const example = examples?.[0] === undefined ? '' : `, such as ${String(examples[0])}`;
  return `does not have the right form${said}${example}`;
}

/** For `invalid`: MISSING_FIELDS where something is missing, as the contract has it for wallets. */
export function missingFields(faults: readonly Fault[]): AppError {
  const details = detailsOf(faults);
  const code = faults.some(({ missing }) => missing) ? 'MISSING_FIELDS' : 'VALIDATION_ERROR';
  return fail(code, describe(faults), { details });
}

function describe(faults: readonly Fault[]): string {
  const missing = new Set(faults.filter((f) => f.missing).map((f) => f.field));
  if (missing.size > 0) return `Missing required fields: ${[...missing].join(', ')}`;
  const [first] = faults;
  return first ? `${first.field} ${first.message}` : 'Invalid request';
}
