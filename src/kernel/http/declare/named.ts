import { type TObject, type TProperties, Type } from 'typebox';

const MARK = 'x-name';

/**
 * An object with these fields that the reference calls by a name, so that a client made of the document has
 * a type of it: named here, it is declared once and referred to in every other place. What differs has a name of
 * its own.
 */
export const named = <T extends TProperties>(name: string, properties: T): TObject<T> =>
  Type.Object(properties, { [MARK]: name });

/** What that schema is called, and what it says beside that. */
export function nameOf(schema: Readonly<Record<string, unknown>>): {
  name: string | undefined;
  rest: Readonly<Record<string, unknown>>;
} {
  const { [MARK]: name, ...rest } = schema;
  return { name: typeof name === 'string' ? name : undefined, rest };
}
