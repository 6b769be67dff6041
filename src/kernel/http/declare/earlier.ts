import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { serialize } from './serialize.ts';

type Data = Record<string, unknown>;

/**
 * How an endpoint was asked and answered up to a version, described by the shape that came next, as events describe theirs
 * (`kernel/events/versions.ts`). What is not there was as it is in the next.
 */
export interface EarlierEndpoint {
  /** The last version in which it was so. */
  readonly version: string;
  /** The body that it took, and what that means to the next. */
  readonly body?: TSchema;
  up?(body: Data): Data;
  /** What it answered, by status, made of the answer of the next. */
  readonly reply?: Readonly<Record<number, TSchema>>;
  down?(answer: Data, status: number): Data;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** For callers of an earlier version, where the endpoint has changed since: the newest shape first. */
    earlier?: readonly EarlierEndpoint[] | undefined;
  }
}

/** The body as the endpoint takes it now, from a caller of an earlier version. Throws what the old schema refuses. */
export function raised(request: FastifyRequest, earlier: readonly EarlierEndpoint[]): unknown {
  return earlier.toReversed().reduce<unknown>((sent, { body, up }) => {
    if (body) validate(request, body, sent);
    return up ? up(sent as Data) : sent;
  }, request.body);
}

function validate(request: FastifyRequest, schema: TSchema, sent: unknown): void {
  const known = request.getValidationFunction(schema);
  const check = known ?? request.compileValidationSchema(schema as object, 'body');
  if (check(sent)) return;
  throw Object.assign(new Error('The body is not of its version'), {
    validation: check.errors ?? [],
    validationContext: 'body',
  });
}

/** A rendered answer as callers of an earlier version know it. */
export function lowered(
  reply: FastifyReply,
  earlier: readonly EarlierEndpoint[],
  { status, payload }: { readonly status: number; readonly payload: string },
): string {
  return earlier.reduce((text, { reply: shapes, down }) => {
    const data = JSON.parse(text) as Data;
    const earlierData = down ? down(data, status) : data;
    const shape = shapes?.[status] as Data | undefined;
    return shape ? serialize(reply, shape, earlierData) : JSON.stringify(earlierData);
  }, payload);
}
