import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { AppError } from '#kernel/error.ts';
import { isTellable, knownFieldsOf, NAMES_LISTED } from '#kernel/http/answer/known-fields.ts';
import { nearestOf } from '../../spelling.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the body has and its endpoint does not know, which is left out. */
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
 * Unknown fields of a body are left out (decisions: Shapes), so a misspelt optional one would have no
 * effect and nobody would know: the answer's header `x-ignored-fields` names them. Where the endpoint moves
 * money they are refused instead, see `unknownFieldRefusal`.
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

/** Each is compared with all names that are known. */
const GUESSED_MAX = 3;

/** What to say to somebody whose request lacks something, and has something that is not known. */
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
