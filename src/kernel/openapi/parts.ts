import { isDeepStrictEqual } from 'node:util';
import { nameOf } from '../http/declare/named.ts';
import { type Examples, exampleMaker } from './example.ts';
import { type DocumentJson, plainSchema, type Saying } from './plain-schema.ts';
import { NO_WORDS, type Vocabulary } from './vocabulary.ts';

type Kind = 'schemas' | 'responses' | 'headers' | 'parameters';

/** What the document says once, under a name, and points to from wherever it holds. */
export interface DocumentParts {
  /** Where the service is reached, for addresses in examples. */
  readonly publicUrl: string;
  readonly examples: Examples;
  readonly bodies: Vocabulary['bodies'];
  readonly descriptions: Vocabulary['descriptions'];
  readonly titles: Vocabulary['titles'];
  /** A schema of ours in plain JSON Schema, of an operation; those with a name of their own are pointed to. */
  schema(schema: unknown, owner?: string): DocumentJson;
  /** Points to a part, and adds it where it is new. Throws where two parts of a name differ. */
  ref(kind: Kind, name: string, part: DocumentJson): DocumentJson;
  components(): Record<Kind, Record<string, DocumentJson>>;
}

export function createParts(publicUrl: string, words: Vocabulary = NO_WORDS): DocumentParts {
  const components: Record<Kind, Map<string, DocumentJson>> = {
    schemas: new Map(),
    responses: new Map(),
    headers: new Map(),
    parameters: new Map(),
  };
  const ref = (kind: Kind, name: string, part: DocumentJson): DocumentJson => {
    const known = components[kind].get(name);
    if (known === undefined) components[kind].set(name, part);
    else if (!isDeepStrictEqual(known, part))
      throw new Error(`Two different ${kind} are called ${name}`);
    return { $ref: `#/components/${kind}/${name}` };
  };
  const lift = (schema: DocumentJson): DocumentJson | undefined => {
    const { name, rest } = nameOf(schema);
    if (name === undefined) return undefined;
    const { description, ...shape } = rest;
    const pointed = ref(
      'schemas',
      name,
      plainSchema(shape, { ...saying, owner: name }) as DocumentJson,
    );
    return description === undefined ? pointed : { ...pointed, description };
  };
  const saying: Saying = { lift, meanings: words.meanings, values: words.values };
  const resolve = (pointer: string): DocumentJson => {
    const part = components.schemas.get(pointer.replace('#/components/schemas/', ''));
    if (!part) throw new Error(`There is nothing at ${pointer}`);
    return part;
  };
  return {
    publicUrl,
    examples: exampleMaker(resolve, words),
    bodies: words.bodies,
    descriptions: words.descriptions,
    titles: words.titles,
    schema: (schema, owner) =>
      plainSchema(schema, owner === undefined ? saying : { ...saying, owner }) as DocumentJson,
    ref,
    components: () => ({
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
      headers: sorted(components.headers),
      parameters: sorted(components.parameters),
    }),
  };
}

const sorted = (parts: ReadonlyMap<string, DocumentJson>): Record<string, DocumentJson> =>
  Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)));
