import type { TSchema } from 'typebox';

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly additionalProperties?: unknown;
}

/** The schema of a body in which no field may be unknown, at any depth: `additionalProperties` is false. */
export function exactSchema(schema: TSchema): TSchema {
  const { properties, items, anyOf, additionalProperties } = schema as Shape;
  return {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map(exactSchema) }),
    ...(items && { items: exactSchema(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, exactSchema(field)]),
      ),
      additionalProperties: additionalProperties ?? false,
    }),
  };
}
