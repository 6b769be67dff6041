import { type TProperties, type TSchema, Type } from 'typebox';
import type { DayEdge } from '../../calendar.ts';
import { ID_MAX } from './wire.ts';

/** An id in a reply. */
export const Id = Type.Integer();
/** An id in a request: a positive integer, as a number or its exact text. Handlers get a number. */
export const IdInput = Type.Unsafe<number>({ wire: 'id', description: `1 to ${ID_MAX}` });
/** A whole number in a request, as a number or its exact text. Handlers get a number. */
export const integerInput = (minimum: number, maximum: number) =>
  Type.Unsafe<number>({ wire: 'integer', min: minimum, max: maximum });
/**
 * A positive amount in a request, as a number or an exact decimal text. Handlers get plain decimal
 * text for `money()`, which checks the asset's decimals.
 */
export const AmountInput = Type.Unsafe<string>({ wire: 'amount' });
/** Any decimal that is not negative; handlers get plain decimal text. */
export const DecimalInput = Type.Unsafe<string>({ wire: 'decimal' });

/** A moment in a request, as ISO 8601 has it; handlers get it in UTC with milliseconds. */
export const MomentInput = Type.Unsafe<string>({ wire: 'moment' });

/**
 * The beginning or the end of a span in a request: a moment, or a day as `2026-01-31`, which counts as a whole day
 * of the time zone that the request names (`TimeZone`), else of the caller's. Handlers get a moment in UTC with
 * milliseconds: the first of the day for a `start`, the last for an `end` that is included, the first of the next day
 * for an end that is not (`until`).
 */
export const spanEdge = (day: DayEdge, description: string) =>
  Type.Unsafe<string>({ wire: 'moment', day, description });
export const TimeZone = Type.String({
  format: 'time-zone',
  examples: ['Asia/Jakarta'],
  maxLength: 64,
  description:
    'To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client',
});

export const Timestamp = Type.String({ format: 'date-time' });
/** Of a country in a request, in capitals or not. */
export const CountryInput = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'ISO 3166-1 alpha-2',
  examples: ['US'],
});
export const Email = Type.String({ format: 'email', maxLength: 254 });
export const Uuid = Type.String({ format: 'uuid' });
export const MessageField = Type.Object({ message: Type.String() });
export const Success = Type.Literal(true);
export const TxHash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** A nullable text in a reply, in the form that serializes fastest. */
export const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
/** Text with something in it, and a limit. */
export const text = (maxLength: number, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: minLength > 0 ? '\\S' : '' });
/** The same, with what a reader of the reference should know beside its shape. */
export const explained = <T extends TSchema>(schema: T, description: string): T => ({
  ...schema,
  description,
});
/**
 * What a person calls somebody or something: one line of characters that can be seen. Handlers get it composed and
 * without blanks around it (see `keptName`). With a `minLength` of 0 it may be left blank.
 */
export const nameInput = (maxLength: number, minLength: 0 | 1 = 1) =>
  Type.Unsafe<string>({ wire: 'name', min: minLength, max: maxLength });
export const Name = nameInput(100);
/** Free text of at most `maxLength` characters; handlers get it composed and without blanks around it. */
export const textInput = (maxLength: number) =>
  Type.Unsafe<string>({ wire: 'text', max: maxLength });
/** One of the words. */
export const oneOfWords = <const W extends readonly string[]>(values: W) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...values] });

/** `{success, ...}`: the flat envelopes' usual success. */
export const flat = <T extends TProperties>(properties: T) =>
  Type.Object({ success: Success, ...properties });
/** `{success, message, data, timestamp}`: the coded envelopes' usual success. */
export const stamped = <T extends TProperties>(properties: T) =>
  Type.Object({ success: Success, ...properties, timestamp: Timestamp });
/** Any JSON, sent as it is. */
export const Json = Type.Unsafe<unknown>({});
/** A page for a person, where the contract has one instead of JSON. */
export const HtmlPage = Type.String({ contentMediaType: 'text/html' });
/** Text as another system wants it. */
export const PlainText = Type.String({ contentMediaType: 'text/plain' });
/** The bytes of a file. */
export const FileBytes = Type.String({ contentMediaType: 'application/octet-stream' });
/** No fields are asked for; what comes is ignored. */
export const Nothing = Type.Object({});
