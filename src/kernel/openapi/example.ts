import { acceptsValue } from './accepts-value.ts';
import type { DocumentJson } from './plain-schema.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Examples {
  /** Of what is sent to an operation: what has to be, and what says an example of itself. */
  sent(schema: DocumentJson, operation: string): unknown;
  /** Of what it answers: all of it. */
  answered(schema: DocumentJson, operation: string): unknown;
  /** Of one field that is sent to it. */
  field(schema: DocumentJson, name: string, operation: string): unknown;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uuid: '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
  uri: 'https://example.com/hook',
  'date-time': '2026-11-22T03:00:58.447Z',
};

/** Composes examples of those of the fields: said by their schemas, else by the words for their places and names. */
export function exampleMaker(
  resolve: (ref: string) => DocumentJson,
  { examples, answers, places }: Pick<Vocabulary, 'examples' | 'answers' | 'places'>,
): Examples {
  const inAnswers = [...answers, ...examples];
  return {
    sent: (schema, operation) => exampleOf(schema, { name: '', owner: operation }, isSent),
    answered: (schema, operation) => exampleOf(schema, { name: '', owner: operation }, isAnswered),
    field: (schema, name, owner) => exampleOf(schema, { name, owner }, isSent),
  };

  function exampleOf(schema: DocumentJson, at: Place, isShown: FieldFilter): unknown {
    const { name, owner } = at;
    const ref = schema['$ref'];
    if (typeof ref === 'string') {
      const shape = ref.replace(/.*\//, '');
      return exampleOf(resolve(ref), { name, owner: shape }, isShown);
    }
    const own = said(schema);
    if (own !== undefined) return own;
    const here = places[`${owner}.${name}`];
    if (here !== undefined && acceptsValue(schema, here)) return here;
    const words = isShown === isAnswered ? inAnswers : examples;
    const word = words.find(([named, value]) => named.test(name) && acceptsValue(schema, value));
    if (word) return word[1];
    const all = schema['allOf'] as readonly DocumentJson[] | undefined;
    if (all) return Object.assign({}, ...all.map((part) => exampleOf(part, at, isShown)));
    const [choice] = ((schema['anyOf'] ?? []) as DocumentJson[]).filter(
      ({ type }) => type !== 'null',
    );
    if (choice) return exampleOf(choice, at, isShown);
    const [type] = [schema['type']].flat();
    if (type === 'object') return ofFields(schema, owner, isShown);
    if (type !== 'array') return type === undefined ? {} : plain(String(type), schema);
    return schema['items']
      ? [
          exampleOf(
            schema['items'] as DocumentJson,
            { name: name.replace(/s$/, ''), owner },
            isShown,
          ),
        ]
      : [];
  }

  function ofFields(
    { properties = {}, required = [] }: Fields,
    owner: string,
    isShown: FieldFilter,
  ): DocumentJson {
    const shown = Object.entries(properties).filter(([name, field]) =>
      isShown(field, required.includes(name)),
    );
    return Object.fromEntries(
      shown.map(([name, field]) => [name, exampleOf(field, { name, owner }, isShown)]),
    );
  }
}

/** A field, and the shape or operation that it is one of. */
interface Place {
  readonly name: string;
  readonly owner: string;
}

interface Fields {
  readonly properties?: Readonly<Record<string, DocumentJson>>;
  readonly required?: readonly string[];
}
type FieldFilter = (field: DocumentJson, isRequired: boolean) => boolean;
const isAnswered: FieldFilter = () => true;
const isSent: FieldFilter = (field, isRequired) => isRequired || 'examples' in field;

function said(schema: DocumentJson): unknown {
  const [first] = (schema['examples'] ?? []) as readonly unknown[];
  if (first !== undefined) return first;
  if ('const' in schema) return schema['const'];
  const [word] = (schema['enum'] ?? []) as readonly unknown[];
  return word;
}

function plain(type: string, { format, minimum, pattern, minLength }: DocumentJson): unknown {
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'integer' || type === 'number') return Math.max(Number(minimum ?? 1), 1);
  if (typeof format === 'string') return FORMATS[format] ?? '';
  if (typeof pattern !== 'string') return 'text'.padEnd(Number(minLength ?? 0), '.');
  return SHAPED.find((text) => new RegExp(pattern, 'u').test(text)) ?? '';
}

/** What patterns commonly ask for. */
const SHAPED = [
  ...['ada', 'ADA', '123456', '1232', '1', 'payment:TOPUP-ABC', '4111111111111111'],
  `0x${'a1'.repeat(32)}`,
  `0x${'a1'.repeat(20)}`,
  'a1'.repeat(16),
  'a1'.repeat(32),
];
