import type { TSchema } from 'typebox';

type Shaped = (value: unknown) => unknown;
interface Plain {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Plain>>;
  readonly items?: Plain;
  readonly anyOf?: readonly Plain[];
  readonly allOf?: readonly Plain[];
}

const asItIs: Shaped = (value) => value;

/**
 * Keeps the fields of a value that its schema names, as replies do, and drops all others of a presenter or row.
 * Objects without declared properties stay as they are.
 */
export function shapeOf(schema: TSchema): Shaped {
  return shaped(schema as Plain);
}

function shaped(schema: Plain): Shaped {
  const fields = fieldsOf(schema);
  if (fields.size > 0) {
    const inner = [...fields].map(([name, field]) => [name, shaped(field)] as const);
    return (value) => (isObject(value) ? picked(value, inner) : value);
  }
  const items = schema.items ?? schema.anyOf?.find((one) => one.items)?.items;
  if (items === undefined) return asItIs;
  const each = shaped(items);
  return (value) => (Array.isArray(value) ? value.map(each) : value);
}

/** The fields of all its alternatives and parts. */
function fieldsOf({ properties = {}, anyOf = [], allOf = [] }: Plain): Map<string, Plain> {
  const parts = [...anyOf, ...allOf].flatMap((part) => [...fieldsOf(part)]);
  return new Map([...parts, ...Object.entries(properties)]);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function picked(value: Record<string, unknown>, fields: readonly (readonly [string, Shaped])[]) {
  const kept: Record<string, unknown> = {};
  for (const [name, inner] of fields)
    if (value[name] !== undefined) kept[name] = inner(value[name]);
  return kept;
}
