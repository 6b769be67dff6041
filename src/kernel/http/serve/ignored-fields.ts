import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { AppError } from '#kernel/error.ts';
import { isTellable, knownFieldsOf, NAMES_LISTED } from '#kernel/http/answer/known-fields.ts';
import { nearestOf } from '../../spelling.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Fields of the body that the endpoint does not know, and drops. */
    ignored?: Ignored;
  }
}

interface Ignored {
  readonly fields: readonly string[];
  readonly known: readonly string[];
}

const HEADER = 'x-ignored-fields';
const NAMED_MAX = 10;

/**
 * The service drops unknown fields of a body (decisions: Shapes), so a misspelt optional field would have no
 * effect without a sign of it: the answer's header `x-ignored-fields` names them. Endpoints that move
 * money refuse them instead, see `unknownFieldRefusal`.
 */
export function ignoredFieldsOf(body: TSchema | undefined) {
  const known = body && knownFieldsOf(body)?.fields;
  if (!known) return undefined;
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const sent = request.body;
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return;
    for (const name in sent) {
      if (known.has(name)) continue;
      request.ignored = { fields: ignoredIn(sent, known), known: [...known.keys()] };
      const { fields } = request.ignored;
      if (fields.length > 0) reply.header(HEADER, fields.join(', '));
      return;
    }
  };
}

const ignoredIn = (sent: object, known: ReadonlyMap<string, unknown>): string[] =>
  Object.keys(sent)
    .filter((name) => !known.has(name) && isTellable(name))
    .slice(0, NAMED_MAX);

/** Each unknown field is compared with all known names. */
const GUESSED_MAX = 3;

/** The hint for a request that lacks a field, and has an unknown one. */
export function ignoredHint(error: AppError, ignored: Ignored | undefined): string | undefined {
  const isFormal = error.code === 'VALIDATION_ERROR' || error.code === 'MISSING_FIELDS';
  if (!isFormal || !ignored || ignored.fields.length === 0) return undefined;
  const { fields, known } = ignored;
  const meant = fields.slice(0, GUESSED_MAX).flatMap((field) => nearestOf(field, known) ?? []);
  const guess =
    meant.length > 0
      ? `Did you mean ${meant.join(', ')}?`
      : `The endpoint takes ${known.slice(0, NAMES_LISTED).join(', ') || 'no fields'}.`;
  return `Not known here: ${fields.join(', ')}. ${guess}`;
}
