import type { TSchema } from 'typebox';

const MARK = 'x-secret';

/**
 * A field of a reply that opens something: its reader may act as a user, or holds their keys.
 * Saying so here is all there is to do; an answer that may hold one is kept for its caller alone.
 */
export const secret = <T extends TSchema>(schema: T): T => ({ ...schema, [MARK]: true });

/** Whether that schema itself is marked. */
export const isSecret = (schema: object): boolean =>
  (schema as Record<string, unknown>)[MARK] === true;

/** Whether there is a marked field anywhere in a schema. */
export function holdsSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return isSecret(schema) || Object.values(schema).some(holdsSecret);
}
