import { Buffer } from 'node:buffer';
import { type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const bodies = new WeakMap<FastifyRequest, Buffer[]>();

/** Keeps every request's body as it came, beside what a parser makes of it. */
export function keepRawBodies(server: FastifyInstance): void {
  takeNothingAsJson(server);
  server.addHook('preParsing', async (request, _reply, payload) => {
    const parts: Buffer[] = [];
    bodies.set(request, parts);
    return tee(payload as Readable, parts);
  });
}

/** Clients name the kind of a body with every request, also where they send none. */
function takeNothingAsJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request, body as string, done);
  });
}

/** The request's body byte for byte, which is what signatures are made of. */
export const rawBody = (request: FastifyRequest): Buffer =>
  Buffer.concat(bodies.get(request) ?? []);

/** The parser stops reading at the body limit, and with it what is kept. */
function tee(payload: Readable, parts: Buffer[]): Readable {
  // Not by a `data` listener: that sets the stream flowing before the parser is there to read it.
  const copy = new Transform({
    transform(part: Buffer, _encoding, passOn) {
      parts.push(part);
      passOn(null, part);
    },
  });
  payload.on('error', (error) => copy.destroy(error));
  return payload.pipe(copy);
}
