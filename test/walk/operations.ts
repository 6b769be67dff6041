import fc from 'fast-check';

/** The OpenAPI document's description of one endpoint; the walk uses nothing else. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** Under the API's own prefix, with its `{names}`. */
  readonly path: string;
  readonly needs: { readonly key: boolean; readonly token: boolean };
  readonly params: Fields;
  readonly query: Fields;
  readonly body: Fields | undefined;
}

export type Fields = ReadonlyMap<string, Schema>;

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}
interface Described {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { name: string; in: string; schema: Schema }[];
  readonly requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
}

/** Every operation of the document that the service publishes at that address. */
export async function readOperations(origin: string): Promise<Operation[]> {
  const reply = await fetch(`${origin}/openapi.json`);
  const { paths } = resolved(await reply.text());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
  );
}

/** With every reference resolved; no part refers to one that contains it. */
function resolved(text: string): Document {
  const { schemas } = (JSON.parse(text) as { components: { schemas: Record<string, object> } })
    .components;
  return JSON.parse(text, (_, value) => {
    const name = String(value?.$ref ?? '').replace('#/components/schemas/', '');
    return name in schemas ? deep(schemas, name) : value;
  });
}

const deep = (schemas: Readonly<Record<string, object>>, name: string): unknown =>
  JSON.parse(JSON.stringify(schemas[name]), (_, value) => {
    const inner = String(value?.$ref ?? '').replace('#/components/schemas/', '');
    return inner in schemas ? deep(schemas, inner) : value;
  });

function operationOf(path: string, method: string, described: Described): Operation {
  const { security = [], parameters = [], requestBody } = described;
  const at = (place: string) =>
    new Map(parameters.filter((p) => p.in === place).map(({ name, schema }) => [name, schema]));
  const body = requestBody?.content['application/json']?.schema;
  const needed = Object.keys(security[0] ?? {});
  return {
    id: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    needs: { key: needed.includes('apiKey'), token: needed.includes('token') },
    params: at('path'),
    query: at('query'),
    body: body && new Map(Object.entries(body.properties ?? {})),
  };
}

/** A valid value of the schema, the same each time. */
export function sampleOf(schema: Schema): unknown {
  if ('const' in schema) return schema.const;
  const [example] = schema.examples ?? schema.enum ?? [];
  if (example !== undefined) return example;
  const [first] = schema.anyOf ?? [];
  if (first) return sampleOf(first);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  if (type === 'array') return schema.items ? [sampleOf(schema.items)] : [];
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sampleOf(field)]),
    );
  return textOf(schema);
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'somebody@example.test',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.test/',
  'date-time': '2030-01-01T00:00:00.000Z',
};

/** Preferred to a made-up value, which not every pattern allows. */
const USUAL = ['Somebody', 'US', '000000', '+12025550100'];

function textOf({ format, pattern, minLength = 1 }: Schema): string {
  if (format !== undefined && format in FORMATS) return FORMATS[format] ?? '';
  if (pattern === undefined || pattern === '') return 'x'.repeat(minLength);
  const usual = USUAL.find(
    (text) => text.length >= minLength && new RegExp(pattern, 'u').test(text),
  );
  if (usual !== undefined) return usual;
  const [text = 'x'] = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 7 });
  return text;
}
