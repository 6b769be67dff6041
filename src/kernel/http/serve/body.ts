import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { type AppError, fail, wrongField } from '#kernel/error.ts';
import { isTellable } from '#kernel/http/answer/known-fields.ts';
import { countWithin, repeatedName } from '#kernel/http/declare/json-scan.ts';
import { BODIES, studied } from '#kernel/http/declare/wire.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes as they came, where there is a body. */
    raw_body?: Buffer;
  }
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * JSON in UTF-8 only. What a body costs is known before it is parsed: its bytes by the kind that the endpoint
 * declares, its depth and how much is in it by a look at them. What is signed is not parsed at all
 * here: who proves it reads it.
 */
export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, raw, done) => {
    const bytes = raw as Buffer;
    request.raw_body = bytes;
    let body: unknown;
    try {
      body = parse(bytes, request);
    } catch (error) {
      done(error as Error, undefined);
      return;
    }
    done(null, body);
  });
  server.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, (request, raw, done) => {
    const { takesForm, signed } = request.route?.endpoint ?? {};
    if (takesForm && signed) {
      request.raw_body = raw as Buffer;
      done(null, {});
      return;
    }
    const { refusal, fields } = formFields(raw as Buffer, request);
    done(refusal ?? null, fields);
  });
  server.addContentTypeParser('*', refuseType);
}

/** The fields of a form, as a browser sends one without script. What is left blank is left out. */
function formFields(bytes: Buffer, { route }: FastifyRequest) {
  const { takesForm, bodyKind = 'fields' } = route?.endpoint ?? {};
  if (!takesForm) return { refusal: unsupportedType() };
  if (bytes.length > BODIES[bodyKind].bytes) return { refusal: tooLarge() };
  const sent = [...new URLSearchParams(bytes.toString('utf8'))];
  const twice = sent.find(([name], n) => sent.findIndex(([other]) => other === name) < n);
  if (twice) return { refusal: duplicate(twice[0]) };
  const fields = Object.fromEntries(sent.filter(([, value]) => value.trim() !== ''));
  const { flaw } = studied(fields, BODIES[bodyKind]);
  if (flaw === undefined) return { fields };
  return { refusal: flaw === 'text' ? fail('VALIDATION_ERROR', UNSTORABLE) : malformed() };
}

/** A file is left to its handler, of any type that it takes; of all others nothing is read. */
const refuseType = (
  { byte_stream }: FastifyRequest,
  _payload: unknown,
  done: (error: Error | null) => void,
): void => done(byte_stream ? null : unsupportedType());

const unsupportedType = () =>
  fail('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json');

/** The body of an endpoint that takes files is kept for its handler, who reads it as it arrives. */
export const receiveBytes: preParsingHookHandler = (request, _reply, body, done) => {
  const { bytes, alsoBytes } = request.route?.endpoint ?? {};
  const { most, types } = bytes ?? alsoBytes ?? { most: 0, types: [] };
  const { 'content-encoding': coding = 'identity', 'content-type': type = '' } = request.headers;
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (coding.toLowerCase() !== 'identity' || !types.includes(plainType(type))) {
    const hint = `Send the bytes of the file themselves with its Content-Type, one of ${types.join(', ')}.`;
    return done(unsupported('Body must be a file', { hint }));
  }
  if (length > most) return done(fail('PAYLOAD_TOO_LARGE', 'File is too large'));
  request.byte_stream = body as Readable;
  // Fastify compares the length that the headers name with what it has read.
  const nothing = Object.assign(Readable.from([]), { receivedEncodedLength: length });
  return done(null, nothing);
};

/** Where a body may be a file or JSON its type says which; JSON keeps the limit of its kind. */
export const receiveEither: preParsingHookHandler = function receive(request, reply, body, done) {
  const { alsoBytes, bodyKind = 'fields' } = request.route?.endpoint ?? {};
  const type = plainType(request.headers['content-type'] ?? '');
  if (alsoBytes?.types.includes(type)) return receiveBytes.call(this, request, reply, body, done);
  if (Number(request.headers['content-length'] ?? 0) > BODIES[bodyKind].bytes)
    return done(tooLarge());
  return receiveBody.call(this, request, reply, body, done);
};

/** What handlers get as the body of a request whose body is a file. */
export const FILE_BODY = Object.freeze({});

const tooLarge = () => fail('PAYLOAD_TOO_LARGE', 'Body is too large');

const plainType = (type: string): string => type.split(';')[0]?.trim().toLowerCase() ?? '';

/** Before a body is read: what is packed or in another character set is not read at all. */
export const receiveBody: preParsingHookHandler = (request, reply, body, done) => {
  const refusal = unreadable(request, reply);
  // Node leaves out the end of what it knows to have none, with all else that a stream does (see createServer);
  // where a caller names the kind of a body and sends none, Fastify waits for it.
  if (refusal) done(refusal);
  else done(null, body.readableEnded ? Readable.from([]) : body);
};

function unreadable({ headers }: FastifyRequest, reply: FastifyReply): AppError | undefined {
  const { 'content-encoding': coding = '', 'content-type': type = '' } = headers;
  if (coding !== '' && coding.toLowerCase() !== 'identity') {
    // RFC 9110, 12.5.3.
    reply.header('accept-encoding', 'identity');
    return unsupported(`Content-Encoding ${shown(coding)} is not supported`, {
      hint: 'Send the body as it is, without a Content-Encoding.',
    });
  }
  const [, charset] = type.includes(';') ? (CHARSET.exec(type) ?? []) : [];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return undefined;
  return unsupported(`The character set ${shown(charset)} is not supported`, {
    hint: 'Send JSON in UTF-8, with Content-Type: application/json.',
  });
}

const unsupported = (message: string, more: { readonly hint: string }) =>
  fail('UNSUPPORTED_MEDIA_TYPE', message, more);

/** Of a word from a header what a message may repeat. */
const shown = (word: string): string => word.replace(/[^\w.,+ -]/g, '').slice(0, 40);

function parse(bytes: Buffer, { route }: FastifyRequest): unknown {
  const { signed, bodyKind = 'fields' } = route?.endpoint ?? {};
  if (bytes.length === 0 || signed) return undefined;
  const kind = BODIES[bodyKind];
  if (bytes.length > kind.bytes) throw tooLarge();
  if (!isUtf8(bytes)) throw fail('MALFORMED_JSON', 'Body is not UTF-8');
  const written = countWithin(bytes, kind);
  if (written === undefined) throw beyondUse();
  const text = bytes.toString('utf8');
  const body = parseText(text);
  const { flaw, count } = studied(body, kind);
  if (flaw === 'text') throw fail('VALIDATION_ERROR', UNSTORABLE);
  if (flaw === 'name') throw malformed();
  if (flaw === 'extent') throw beyondUse();
  // Of two fields of one name the parser keeps the last; a system in between may have read the first.
  if (count !== written) throw duplicate(repeatedName(text));
  return body;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch (error) {
    throw malformed(placeOf(error));
  }
}

/** Where reading gave up. The rest of what is said repeats the body, which may hold a secret. */
const placeOf = (error: unknown): string | undefined =>
  /line \d+ column \d+/.exec(error instanceof Error ? error.message : '')?.[0];

const malformed = (place?: string) =>
  fail(
    'MALFORMED_JSON',
    'Body is not valid JSON',
    place === undefined
      ? {}
      : {
          hint: `It breaks off at ${place}: look there for a comma too many, a quote or bracket that is missing, or quotes that are not ".`,
        },
  );
/** The code of a list that is too long, for it is the same mistake. */
const beyondUse = () =>
  fail('VALIDATION_ERROR', 'Body is nested too deeply or has too many values');

function duplicate(field: string | undefined): AppError {
  if (field === undefined || !isTellable(field))
    return fail('DUPLICATE_FIELD', 'Body has a field twice');
  const said = `Body has the field ${field} twice`;
  return wrongField(field, 'is given twice', { code: 'DUPLICATE_FIELD', said });
}
export const UNSTORABLE = 'Text must be valid Unicode without NUL';
