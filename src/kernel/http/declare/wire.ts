import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { isTimeZone } from '../../calendar.ts';
import { metadataFault } from '../../caller-names.ts';
import { keptName, keptText } from '../../names.ts';
import { type ObjectPrefix, objectId, uuidOfObjectId } from '../../object-id.ts';
import { byContent } from './by-content.ts';
import type { JsonBounds } from './json-scan.ts';

/** Ids are `integer` columns. */
export const ID_MAX = 2_147_483_647;
const DECIMAL = /^(0|[1-9]\d{0,29})(\.\d{1,18})?$/;
const INTEGER = /^-?(0|[1-9]\d{0,15})$/;

/**
 * Compiles request schemas. Nothing is coerced by type; where the contract says number, the `wire`
 * keyword also takes its exact text (decisions: Shapes), and turns either into what handlers use.
 * With `declaredOnly` fields that the schema does not name are dropped, in unions and intersections
 * those of the other members too. With `firstOnly` the first fault ends it: telling all those of a
 * long list costs far more than finding that it is wrong.
 */
export function requestCompiler(rules: Rules = {}): FastifySchemaCompiler<object> {
  return ({ schema }) => whenNeeded(() => compilerOf(rules)(schema));
}

type Compile = (schema: AnySchemaObject) => ValidateFunction;

/** One for all services of a process. */
function compilerOf(rules: Rules): Compile {
  const name = JSON.stringify([rules.declaredOnly ?? false, rules.firstOnly ?? false]);
  const compile = compilers.get(name) ?? newCompiler(rules);
  compilers.set(name, compile);
  return compile;
}
const compilers = new Map<string, Compile>();

function newCompiler(rules: Rules): Compile {
  const ajv = requestAjv(rules);
  const known = byContent<ValidateFunction>();
  return (schema) => known(schema, () => ajv.compile(schema));
}

interface Rules {
  readonly declaredOnly?: boolean;
  readonly firstOnly?: boolean;
}

/** Compiles at the first request: doing so for every endpoint at once would slow each start down. */
function whenNeeded(compile: () => ValidateFunction): Validator {
  let compiled: ValidateFunction | undefined;
  const validate: Validator = (data) => {
    compiled ??= compile();
    const valid = compiled(data);
    validate.errors = compiled.errors ?? null;
    return valid;
  };
  return validate;
}
type Validator = ReturnType<FastifySchemaCompiler<object>>;

function requestAjv({ declaredOnly = false, firstOnly = false }: Rules): Ajv {
  const ajv = new Ajv({
    allErrors: !firstOnly,
    useDefaults: true,
    strict: false,
    // Faults tell what their schema says of itself; it costs right requests nothing.
    verbose: true,
    removeAdditional: declaredOnly && 'all',
  });
  addFormats.default(ajv, ['email', 'uuid', 'uri', 'date']);
  ajv.addFormat('date-time', isMoment);
  ajv.addFormat('time-zone', isTimeZone);
  ajv.addKeyword({ keyword: 'wire', modifying: true, errors: true, validate: normalise });
  return ajv;
}

const dateTime = addFormats.default.get('date-time') as { validate(text: string): boolean };

/** RFC 3339 in years that the database keeps and a reply can print with four digits, in UTC. */
function isMoment(text: string): boolean {
  if (!dateTime.validate(text)) return false;
  const year = new Date(text).getUTCFullYear();
  return year >= 1900 && year <= 9999;
}

type Wire =
  | 'id'
  | 'integer'
  | 'amount'
  | 'decimal'
  | 'moment'
  | 'name'
  | 'metadata'
  | 'text'
  | 'object-id';
interface Place {
  readonly parentData: unknown;
  readonly parentDataProperty: string | number;
}

const normalise: {
  (wire: Wire, data: unknown, schema?: AnySchemaObject, place?: Place): boolean;
  errors?: Partial<ErrorObject>[];
} = (wire, data, schema = {}, place) => {
  const value = WIRES[wire](data, schema);
  if (value === undefined) {
    normalise.errors = [{ keyword: 'wire', message: COMPLAINTS[wire](schema, data), params: {} }];
    return false;
  }
  if (place)
    (place.parentData as Record<string | number, unknown>)[place.parentDataProperty] = value;
  return true;
};

const WIRES: Record<Wire, (data: unknown, schema: AnySchemaObject) => unknown> = {
  id: (data) => whole(data, 1, ID_MAX),
  integer: (data, schema) => whole(data, schema['min'], schema['max']),
  amount: (data, { digits }) => {
    const text = decimal(data);
    if (text === undefined || !/[1-9]/.test(text)) return undefined;
    return digits === undefined || isWithin(text, digits, data) ? text : undefined;
  },
  decimal,
  moment,
  name: (data, { min, max }) => nameWithin(data, min, max),
  metadata: (data, { nulls }) => (metadataFault(data, { nulls }) === undefined ? data : undefined),
  text: (data, { max }) =>
    typeof data === 'string' && lengthOf(data) <= max ? keptText(data) : undefined,
  'object-id': (data, { prefix }) =>
    typeof data === 'string' ? uuidOfObjectId(prefix as ObjectPrefix, data) : undefined,
};

/** Of more digits than 15 a JSON number may not be the one that was written. */
const isWithin = (text: string, digits: number, sent: unknown): boolean =>
  text.replace(/\..*/, '').length <= digits &&
  (typeof sent === 'string' || text.replace(/^[0.]+|\./g, '').length <= 15);

const COMPLAINTS: Record<Wire, (schema: AnySchemaObject, data: unknown) => string> = {
  id: () => 'must be a positive integer',
  integer: (schema) => `must be a whole number from ${schema['min']} to ${schema['max']}`,
  amount: ({ digits }) =>
    `must be a positive decimal number, such as "12.50"${digits === undefined ? '' : `, with at most ${digits} digits before the point`}`,
  decimal: () => 'must be a non-negative decimal number, such as "12.50"',
  moment: ({ day }) =>
    `must be ${day === undefined ? '' : 'a day such as 2026-01-31, or '}a date and time as in ISO 8601, such as 2026-01-31T09:30:00Z`,
  name: ({ max }, data) => {
    if (typeof data !== 'string') return 'must be string';
    if (data.trim() === '') return 'must not be blank';
    if (lengthOf(data) > max) return `must have at most ${max} characters`;
    return 'must be one line of characters that can be seen';
  },
  metadata: ({ nulls }, data) => metadataFault(data, { nulls }) ?? 'is invalid',
  text: ({ max }, data) => {
    if (typeof data !== 'string') return 'must be string';
    if (data.trim() === '') return 'must not be blank';
    if (lengthOf(data) > max) return `must have at most ${max} characters`;
    return 'must not have control characters';
  },
  'object-id': ({ prefix }) =>
    `must be an id such as ${objectId(prefix as ObjectPrefix, '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30')}`,
};

/** In code points, as JSON Schema counts. */
const lengthOf = (text: string): number => [...text.normalize('NFC').trim()].length;

/** As it is kept; of one that may be left open, nothing in it is an empty text. */
function nameWithin(data: unknown, minimum: number, maximum: number): string | undefined {
  if (typeof data !== 'string') return undefined;
  if (minimum === 0 && data.trim() === '') return '';
  return lengthOf(data) <= maximum ? keptName(data) : undefined;
}

const DAY = String.raw`(\d{4}-\d\d-\d\d)`;
const TIME = String.raw`(\d\d:\d\d)(?:(:\d\d)(?:[.,](\d+))?)?`;
const OFFSET = String.raw`(?:[Zz]|([+-]\d\d)(?::?(\d\d))?)`;
const ONE_DAY = new RegExp(`^${DAY}$`);
const ISO_8601 = new RegExp(`^${DAY}(?:[Tt ]${TIME}${OFFSET}?)?$`);

/**
 * What ISO 8601 lets a sender leave out is nought, and the offset that of UTC. A day stays a day where the schema
 * says which edge of it counts: which moment that is depends on the caller (days.ts).
 */
function moment(data: unknown, { day: edge }: AnySchemaObject): string | undefined {
  if (typeof data !== 'string') return undefined;
  if (edge !== undefined && ONE_DAY.test(data))
    return isMoment(`${data}T00:00:00Z`) ? data : undefined;
  const [, day, time = '00:00', seconds = ':00', fraction = '0', hours = '+00', minutes = '00'] =
    ISO_8601.exec(data) ?? [];
  if (day === undefined) return undefined;
  const whole = `${day}T${time}${seconds}.${fraction}${hours}:${minutes}`;
  return isMoment(whole) ? new Date(whole).toISOString() : undefined;
}

function whole(data: unknown, minimum: number, maximum: number): number | undefined {
  const value = typeof data === 'string' && INTEGER.test(data) ? Number(data) : data;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return undefined;
  return value >= minimum && value <= maximum ? value : undefined;
}

/** A JSON number has already been a double, so only those that a double holds exactly are taken. */
function decimal(data: unknown): string | undefined {
  if (typeof data === 'number') {
    const known = Number.isFinite(data) && Math.abs(data) <= Number.MAX_SAFE_INTEGER;
    return known ? decimal(plain(data)) : undefined;
  }
  return typeof data === 'string' && DECIMAL.test(data) ? data : undefined;
}

/** Clients write small numbers with an exponent: 2.1e-8 is 0.000000021, and no other number. */
function plain(number: number): string {
  const [digits = '', exponent] = String(number).split('e-');
  if (exponent === undefined) return digits;
  return `0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`;
}

const DEPTH_MAX = 24;

/** What a body may be, by what is sent: the fields of one thing, or a list or a page. */
export const BODIES = {
  fields: { bytes: 64 * 1024, depth: DEPTH_MAX, values: 5000 },
  /** Five thousand contacts, our longest list, even with fields that we know nothing of. */
  list: { bytes: 1024 * 1024, depth: DEPTH_MAX, values: 25_000 },
  /** Ten thousand payments, each with the account that it goes to. */
  payments: { bytes: 4 * 1024 * 1024, depth: DEPTH_MAX, values: 200_000 },
} as const satisfies Record<string, JsonBounds & { readonly bytes: number }>;
export type BodyKind = keyof typeof BODIES;

/**
 * Why a document cannot be taken: a `name` that would change what objects are, `text` that is not
 * whole Unicode or holds NUL, an `extent` that no document of ours has.
 */
export type Flaw = 'name' | 'text' | 'extent';

/** What a look at a parsed document has found: how many values it has, or the first thing that is wrong with it. */
interface Study {
  readonly count: number;
  readonly flaw: Flaw | undefined;
}

/** Looks at each value of a parsed document, as far as it has no more than it may. */
export function studied(value: unknown, { depth, values }: JsonBounds): Study {
  const left = { values };
  const flaw = flawWithin(value, depth, left);
  return { count: values - left.values, flaw };
}

/** Whether a parsed document holds only what can be stored. */
export const storable = (value: unknown): boolean => studied(value, BODIES.list).flaw === undefined;

function flawWithin(value: unknown, depth: number, left: { values: number }): Flaw | undefined {
  left.values -= 1;
  if (left.values < 0) return 'extent';
  if (typeof value === 'string') return cleanText(value) ? undefined : 'text';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 0) return 'extent';
  let flaw: Flaw | undefined;
  if (Array.isArray(value)) {
    value.some((item) => {
      flaw = flawWithin(item, depth - 1, left);
      return flaw !== undefined;
    });
    return flaw;
  }
  for (const name in value) {
    const field = (value as Record<string, unknown>)[name];
    flaw = flawOfName(name, field) ?? flawWithin(field, depth - 1, left);
    if (flaw !== undefined) break;
  }
  return flaw;
}

/** Objects merged with such a document would get its prototype. */
function flawOfName(name: string, value: unknown): Flaw | undefined {
  if (name === '__proto__') return 'name';
  if (name === 'constructor' && typeof value === 'object' && value !== null)
    return Object.hasOwn(value, 'prototype') ? 'name' : undefined;
  return cleanText(name) ? undefined : 'text';
}

const cleanText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
