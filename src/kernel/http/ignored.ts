import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { nearestOf } from '../nearest.ts';
import type { AppError } from './error.ts';

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
/** Others are no slips of the pen, and have no place in an answer: one with many digits may be a card. */
const NAME = /^(?!(?:\D*\d){7})[\w.-]{1,40}$/;

/**
 * Unknown fields of a body are left out (decisions: Shapes), so a misspelt optional one would have no
 * effect and nobody would know: the answer's header `x-ignored-fields` names them.
 */
export function ignoredFieldsOf(body: TSchema | undefined) {
  const known = body && namesOf(body);
  if (!known) return undefined;
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const sent = request.body;
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return;
    for (const name in sent) {
      if (known.has(name)) continue;
      request.ignored = { fields: ignoredIn(sent, known), known: [...known] };
      const { fields } = request.ignored;
      if (fields.length > 0) reply.header(HEADER, fields.join(', '));
      return;
    }
  };
}

const ignoredIn = (sent: object, known: ReadonlySet<string>): string[] =>
  Object.keys(sent)
    .filter((name) => !known.has(name) && NAME.test(name))
    .slice(0, NAMED_MAX);

/** Names of the fields that a schema knows; nothing where it takes any. */
function namesOf(schema: TSchema): ReadonlySet<string> | undefined {
  const { properties, anyOf, allOf, additionalProperties } = schema as {
    properties?: Record<string, TSchema>;
    anyOf?: readonly TSchema[];
    allOf?: readonly TSchema[];
    additionalProperties?: unknown;
  };
  if (additionalProperties) return undefined;
  const members = [...(anyOf ?? []), ...(allOf ?? [])].map(namesOf);
  if (!properties && members.length === 0) return undefined;
  const names = new Set(Object.keys(properties ?? {}));
  for (const member of members) {
    if (!member) return undefined;
    for (const name of member) names.add(name);
  }
  return names;
}

const LISTED_MAX = 15;

/** What to say to somebody whose request lacks something, and has something that is not known. */
export function ignoredHint(error: AppError, ignored: Ignored | undefined): string | undefined {
  const isFormal = error.code === 'VALIDATION_ERROR' || error.code === 'MISSING_FIELDS';
  if (!isFormal || !ignored || ignored.fields.length === 0) return undefined;
  const { fields, known } = ignored;
  const meant = fields.flatMap((field) => nearestOf(field, known) ?? []);
  const guess =
    meant.length > 0
      ? `Did you mean ${meant.join(', ')}?`
      : `The endpoint takes ${known.slice(0, LISTED_MAX).join(', ')}.`;
  return `Not known here: ${fields.join(', ')}. ${guess}`;
}
