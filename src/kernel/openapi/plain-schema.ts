import { METADATA_KEY, METADATA_KEYS_MAX, METADATA_VALUE_MAX } from '../caller-names.ts';
import { nameOf } from '../http/declare/named.ts';
import { ID_MAX } from '../http/declare/wire.ts';
import { type ObjectPrefix, objectIdPattern } from '../object-id.ts';

export type DocumentJson = Readonly<Record<string, unknown>>;

export interface Saying {
  /** What stands for a schema instead of itself, where anything does. */
  readonly lift?: (schema: DocumentJson) => DocumentJson | undefined;
  /** What fields mean that do not say it themselves, by their names. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** What the words of a field mean, by its name, or by that of its owner and its own. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The shape or operation whose fields these are. */
  readonly owner?: string;
}

/** A schema with our own keywords said in plain JSON Schema. */
export function plainSchema(schema: unknown, saying: Saying = {}): unknown {
  if (Array.isArray(schema)) return schema.map((member) => plainSchema(member, saying));
  if (typeof schema !== 'object' || schema === null) return schema;
  const lifted = saying.lift?.(schema as DocumentJson);
  if (lifted) return lifted;
  const { wire, min, max, day, nulls, digits, prefix, ...all } = ofWords(
    nameOf(schema as DocumentJson).rest,
  );
  // Not only spaces: true of whatever a reader would try, and strange where examples are made of it.
  const { pattern: exact, plain_pattern: pattern = exact, ...others } = all;
  const isSaid = pattern !== undefined && pattern !== '\\S' && pattern !== '';
  const rest = isSaid ? { ...others, pattern } : others;
  const described = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, plainKeyword(name, value, saying)]),
  );
  return typeof wire === 'string'
    ? {
        ...described,
        ...(day === undefined ? shapeOf(wire, { min, max, nulls, digits, prefix }) : DAY_OR_MOMENT),
      }
    : described;
}

/** What stands beside a keyword: schemas by name, a schema or some, or something that is none. */
function plainKeyword(keyword: string, value: unknown, saying: Saying): unknown {
  if (keyword === 'properties')
    return Object.fromEntries(
      Object.entries(value as DocumentJson).map(([name, field]) => {
        const plain = withMeanings(plainSchema(field, saying) as DocumentJson, name, saying);
        const { description = meaningOf(saying.meanings, name, saying) } = plain;
        return [name, description === undefined ? plain : { ...plain, description }];
      }),
    );
  return NO_SCHEMAS.has(keyword) ? value : plainSchema(value, saying);
}

/** What is said of a field of this owner, else of any field of that name. */
const meaningOf = <T>(
  words: Readonly<Record<string, T>> | undefined,
  name: string,
  { owner }: Saying,
): T | undefined => words?.[`${owner}.${name}`] ?? words?.[name];

/** A field that takes some words only, or a list of them, with what each means. */
function withMeanings(field: DocumentJson, name: string, saying: Saying): DocumentJson {
  const { enum: words, items, anyOf } = field as Worded;
  if (items && !words) return { ...field, items: withMeanings(items, name, saying) };
  if (anyOf && !words)
    return { ...field, anyOf: anyOf.map((choice) => withMeanings(choice, name, saying)) };
  if (!words || !saying.values) return field;
  const { [`${saying.owner}.${name}`]: here = {}, [name]: anywhere = {} } = saying.values;
  const said = words.flatMap((word) => {
    const meaning = here[String(word)] ?? anywhere[String(word)];
    return meaning === undefined ? [] : [[String(word), meaning] as const];
  });
  return said.length === 0 ? field : { ...field, 'x-enum-descriptions': Object.fromEntries(said) };
}

interface Worded {
  readonly enum?: readonly unknown[];
  readonly items?: DocumentJson;
  readonly anyOf?: readonly DocumentJson[];
}

/** A choice between single words is a list of words: clients make one type of it. */
function ofWords(schema: DocumentJson): DocumentJson {
  const { anyOf, ...rest } = schema as { anyOf?: readonly DocumentJson[] };
  if (!anyOf || anyOf.length < 2) return schema;
  const words = anyOf.map((choice) => choice['const']);
  if (!words.every((word) => typeof word === 'string')) return schema;
  return { ...rest, type: 'string', enum: words };
}

const NO_SCHEMAS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

const DAY_OR_MOMENT: DocumentJson = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
};

type WireRules = Readonly<Record<'min' | 'max' | 'nulls' | 'digits' | 'prefix', unknown>>;

/** What our `wire` keyword takes, in words that other validators know. */
function shapeOf(wire: string, { min, max, nulls, digits, prefix }: WireRules): DocumentJson {
  if (wire === 'metadata') return metadataShape(nulls === true);
  if (wire === 'text') return { type: 'string', minLength: 1, maxLength: max };
  if (wire === 'object-id')
    return { type: 'string', pattern: objectIdPattern(prefix as ObjectPrefix) };
  if (wire === 'name') return { type: 'string', minLength: min, maxLength: max };
  if (wire === 'moment') return { type: 'string', format: 'date-time' };
  if (wire === 'id') return integerOrText(1, ID_MAX, '^[1-9]\\d{0,9}$');
  if (wire === 'integer') return integerOrText(min, max, '^-?(0|[1-9]\\d{0,15})$');
  return amountShape(wire === 'amount', digits === undefined ? 30 : Number(digits));
}

/** Of text that is above zero the pattern takes a few digits more after the point: it cannot count them and look for one. */
function amountShape(isPositive: boolean, digits: number): DocumentJson {
  const above = `[1-9]\\d{0,${digits - 1}}(\\.\\d{1,18})?`;
  return {
    anyOf: [
      { type: 'number', ...(isPositive ? { exclusiveMinimum: 0 } : { minimum: 0 }) },
      {
        type: 'string',
        pattern: isPositive
          ? `^(${above}|0\\.\\d{0,17}[1-9]\\d{0,17})$`
          : `^(0|[1-9]\\d{0,${digits - 1}})(\\.\\d{1,18})?$`,
      },
    ],
  };
}

const integerOrText = (minimum: unknown, maximum: unknown, pattern: string): DocumentJson => ({
  anyOf: [
    { type: 'integer', minimum, maximum },
    { type: 'string', pattern },
  ],
});

const metadataShape = (nulls: boolean): DocumentJson => ({
  type: 'object',
  ...(nulls ? {} : { maxProperties: METADATA_KEYS_MAX }),
  propertyNames: { pattern: METADATA_KEY },
  additionalProperties: {
    type: nulls ? ['string', 'null'] : 'string',
    maxLength: METADATA_VALUE_MAX,
  },
});
