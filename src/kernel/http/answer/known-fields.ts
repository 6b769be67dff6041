import type { TSchema } from 'typebox';
import { type AppError, fail } from '#kernel/error.ts';
import { nearestOf } from '../../spelling.ts';

/** Names of fields that an answer may repeat. Others are no slips of the pen: one with many digits may be a card. */
const TELLABLE = /^(?!(?:\D*\d){7})[\w.-]{1,40}$/;
export const isTellable = (name: string): boolean => TELLABLE.test(name);

const TOLD_MAX = 10;
/** How many known names a message lists. */
export const NAMES_LISTED = 15;

/** The fields that a schema knows, with what each knows in turn; nothing where it takes any. */
export interface KnownFields {
  readonly fields: ReadonlyMap<string, KnownFields | undefined>;
  /** Of each entry of a list. */
  readonly items: KnownFields | undefined;
}

/** Of a union or an intersection the fields of all members. */
export function knownFieldsOf(schema: TSchema): KnownFields | undefined {
  const { properties, items, anyOf, allOf, additionalProperties } = schema as Shape;
  if (additionalProperties) return undefined;
  const members = [...(anyOf ?? []), ...(allOf ?? [])].filter(isComposed).map(knownFieldsOf);
  if (members.includes(undefined)) return undefined;
  if (!properties && !items && members.length === 0) return undefined;
  const own = {
    fields: new Map(
      Object.entries(properties ?? {}).map(([name, of]) => [name, knownFieldsOf(of)]),
    ),
    items: items && knownFieldsOf(items),
  };
  return members.reduce<KnownFields>((all, member) => joined(all, member as KnownFields), own);
}

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly allOf?: readonly TSchema[];
  readonly additionalProperties?: unknown;
}

/** A text or a number beside an object, as in a union with null, has no fields. */
const isComposed = (schema: TSchema): boolean => {
  const {
    type,
    const: fixed,
    wire,
  } = schema as { type?: unknown; const?: unknown; wire?: unknown };
  const isPlain = fixed !== undefined || wire !== undefined;
  return !isPlain && (type === undefined || type === 'object' || type === 'array');
};

const joined = (a: KnownFields, b: KnownFields): KnownFields => ({
  fields: new Map([...a.fields, ...b.fields]),
  items: a.items ?? b.items,
});

interface UnknownField {
  /** `destination_bank.account`. */
  readonly place: string;
  readonly name: string;
  /** What would be known there. */
  readonly known: readonly string[];
}

/** Every field of a body that its schema does not know, at every depth. */
function unknownIn(value: unknown, known: KnownFields | undefined, place = ''): UnknownField[] {
  if (!known || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => unknownIn(one, known.items, place));
  // A text was expected, or a list.
  if (known.fields.size === 0 && known.items) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    known.fields.has(name)
      ? unknownIn(inner, known.fields.get(name), `${place}${name}.`)
      : [{ place: `${place}${name}`, name, known: [...known.fields.keys()] }],
  );
}

/**
 * What a body that moves money is refused with where it has a field that is not known: UNKNOWN_FIELD. A misspelt
 * one would be left out, and with it where the money goes.
 */
export function unknownFieldRefusal(
  body: unknown,
  known: KnownFields | undefined,
): AppError | undefined {
  const unknown = unknownIn(body, known);
  const [first] = unknown;
  if (first === undefined) return undefined;
  const listed = unknown.filter(({ name }) => isTellable(name)).slice(0, TOLD_MAX);
  const meant = listed.flatMap(({ name, known: names }) => nearestOf(name, names) ?? []);
  const guess = meant.length > 0 ? `Did you mean ${[...new Set(meant)].join(', ')}? ` : '';
  const names = first.known.slice(0, NAMES_LISTED).join(', ');
  const place = first.place.slice(0, -first.name.length - 1);
  const taker = place === '' ? 'The endpoint' : place;
  const takes = first.known.length === 0 ? 'no fields' : names;
  return fail(
    'UNKNOWN_FIELD',
    `Unknown field ${listed.map((one) => one.place).join(', ')}`.trim(),
    {
      hint: `${guess}${taker} takes ${takes}. Nothing was done.`,
      details: listed.map((one) => ({ field: one.place, message: 'is not known here' })),
    },
  );
}
