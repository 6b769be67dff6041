import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import { fail } from './error.ts';
import { isWithin } from './json-scan.ts';
import { BODIES, flawOf } from './wire.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes as they came, where there is a body. */
    raw_body?: Buffer;
  }
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * JSON only. What a body costs is known before it is parsed: its bytes by the kind that the endpoint
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
}

/**
 * Node leaves out the end of what it knows to have none, with all else that a stream does (see
 * createServer); where a caller names the kind of a body and sends none, Fastify waits for it.
 */
export const endNothing: preParsingHookHandler = (_request, _reply, body, done) =>
  done(null, body.readableEnded ? Readable.from([]) : body);

function parse(bytes: Buffer, { route }: FastifyRequest): unknown {
  const { signed, bodyKind = 'fields' } = route?.endpoint ?? {};
  if (bytes.length === 0 || signed) return undefined;
  const kind = BODIES[bodyKind];
  if (!isWithin(bytes, kind)) throw beyondUse();
  const body = parseText(bytes.toString('utf8'));
  const flaw = flawOf(body, kind);
  if (flaw === 'text') throw fail('VALIDATION_ERROR', UNSTORABLE);
  if (flaw === 'name') throw malformed();
  if (flaw === 'extent') throw beyondUse();
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
const beyondUse = () => fail('MALFORMED_JSON', 'Body is nested too deeply or has too many values');
export const UNSTORABLE = 'Text must be valid Unicode without NUL';
