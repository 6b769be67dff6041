/**
 * Turns the OpenAPI document into a TypeScript client: types of every shape, and a function for each operation
 * under its name. The seed of a package for callers of the API; here it proves that the document is enough.
 */
export function generateClient(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const byThing = Map.groupBy(operations, ({ operation }) => split(operation)[0]);
  const shapes = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${nameOf(name)} = ${typeOf(schema)};`,
  );
  const things = [...byThing].map(([thing, its]) => {
    const functions = its.map(
      ({ operation }) =>
        `    ${split(operation)[1]}(${inputOf(operation)}): ${answerOf(operation)};`,
    );
    return `  readonly ${thing}: {\n${functions.join('\n')}\n  };`;
  });
  const routes = operations.map(
    ({ method, path, operation }) =>
      `  '${operation['x-archipay-method']}': ['${method}', '${path}'],`,
  );
  return [
    ...shapes,
    `export interface Api {\n${things.join('\n')}\n}`,
    `const ROUTES: Readonly<Record<string, readonly [string, string]>> = {\n${routes.join('\n')}\n};`,
    RUNTIME,
  ].join('\n\n');
}

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema | true>>;
  readonly required?: readonly string[];
}
interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation {
  readonly 'x-archipay-method': string;
  readonly parameters: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>;
}
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

function split(operation: Operation): [string, string] {
  const [thing = '', verb = ''] = operation['x-archipay-method'].split('.');
  return [thing, verb];
}

const nameOf = (ref: string): string => ref.replace(/^.*\//, '').replace(/\W/g, '_');

function typeOf(schema: Schema | true | undefined): string {
  if (schema === undefined || schema === true) return 'unknown';
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' | ');
  if (schema.anyOf) return `(${schema.anyOf.map(typeOf).join(' | ')})`;
  if (schema.allOf) return `(${schema.allOf.map(typeOf).join(' & ')})`;
  if (schema.properties) return fieldsOf(schema);
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ type })).join(' | ');
  if (schema.type === 'array') return `readonly (${typeOf(schema.items)})[]`;
  return PLAIN[String(schema.type)] ?? 'unknown';
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'object',
};

function fieldsOf({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `readonly ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  );
  return `{ ${fields.join('; ')} }`;
}

/** The inputs of a function: parameters of the path and the query and the body's fields, separately. */
function inputOf({ parameters, requestBody }: Operation): string {
  const at = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const group = (place: string) => ({
    properties: Object.fromEntries(at(place).map(({ name = '', schema = {} }) => [name, schema])),
    required: at(place).flatMap(({ name = '', required }) => (required ? [name] : [])),
  });
  const body = requestBody?.content['application/json']?.schema;
  const parts = [
    ...(at('path').length > 0 ? [`readonly params: ${fieldsOf(group('path'))}`] : []),
    ...(at('query').length > 0 ? [`readonly query?: ${fieldsOf(group('query'))}`] : []),
    ...(body ? [`readonly body: ${typeOf(body)}`] : []),
    'readonly idempotencyKey?: string',
  ];
  return `input${parts.length === 1 || (!body && at('path').length === 0) ? '?' : ''}: { ${parts.join('; ')} }`;
}

function answerOf({ responses }: Operation): string {
  const good = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && 'content' in response
      ? jsonFirst(response.content).map(([type, { schema }]) =>
          type === 'application/json' ? typeOf(schema) : 'string',
        )
      : [],
  );
  return `Promise<${[...new Set(good)].join(' | ')}>`;
}

/** The client requests JSON wherever it exists. */
function jsonFirst<T>(content: Readonly<Record<string, T>>): [string, T][] {
  const all = Object.entries(content);
  const json = all.filter(([type]) => type === 'application/json');
  return json.length > 0 ? json : all;
}

const RUNTIME = `interface Input {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  constructor(status: number, code: ErrorCode, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function createClient(options: { baseUrl: string; key?: string; token?: string }): Api {
  const call = async (name: string, { params = {}, query = {}, body, idempotencyKey }: Input = {}) => {
    const [method = '', path = ''] = ROUTES[name] ?? [];
    const given = new Map(Object.entries(params));
    const place = path.replace(/\\{(\\w+)\\}/g, (_, key) => encodeURIComponent(String(given.get(key))));
    const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
    const reply = await fetch(options.baseUrl + place + (search.size > 0 ? '?' + search : ''), {
      method,
      headers: {
        ...(options.key !== undefined && { 'x-api-key': options.key }),
        ...(options.token !== undefined && { authorization: 'Bearer ' + options.token }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.includes('json') ?? false;
    const answer = isJson ? JSON.parse(text) : text;
    if (reply.ok) return answer;
    const { error } = answer;
    const code = answer.error_code ?? answer.code ?? error?.code ?? 'INTERNAL';
    throw new ApiError(reply.status, code, answer.message ?? error?.message ?? String(error));
  };
  const thingOf = (thing: string) =>
    new Proxy({}, { get: (_, verb) => (input?: Input) => call(thing + '.' + String(verb), input) });
  return new Proxy({} as Api, { get: (_, thing) => thingOf(String(thing)) });
}
`;
