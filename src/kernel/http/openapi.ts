import type { TSchema } from 'typebox';
import { type Catalogue, catalogueOf } from '../events/catalogue.ts';
import { envelope } from '../events/envelope.ts';
import type { AnyEventType } from '../events/event-type.ts';
import { CODES } from './error.ts';
import type { AnyEndpoint, Route, RouteId } from './route.ts';
import { ID_MAX } from './wire.ts';

export type OpenApi = Readonly<Record<string, unknown>>;

/** What holds for every endpoint, so that none has to say it. */
const CONVENTIONS = `Payments over fiat wallets, cards and chains.

- **Who calls**: the application by its key in \`x-api-key\`, a person by the token of their log-in in
  \`Authorization: Bearer\`. The rewards app's log-in (\`/xusers/login\`) has tokens of its own.
- **Bodies** are JSON of up to 64 KiB, or more where it is said. Ids and amounts may be numbers or the
  same as text; fields that are not named here are ignored, query parameters that are not are refused.
- **Failures** carry a stable \`code\`, a \`hint\` what to do, a \`doc_url\` that explains the code, and the
  \`request_id\`; some have one more field that helps with that one failure. The header \`x-request-id\` is on every answer; one that is sent is kept.
- **Limits**: every answer has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
  \`X-RateLimit-Reset\` (epoch seconds). 429 and some 503 say in \`Retry-After\` how many seconds to wait.
- **Lists** are newest first and cut: where rows are left out the header \`Link: <…>; rel="next"\` is
  the address of the next page.
- **Repetitions**: with an \`Idempotency-Key\` the same request answers the same again
  (\`idempotent-replayed: true\`); another body under that key is 422, a first one still under way 409.
  Answers that hold a secret (\`x-secret\`) are given once: their repetition is 409, and does nothing.`;

/** OpenAPI 3.1 made of the declarations that validate the requests, so it can't disagree with them. */
export function describeApi(
  routes: readonly Route[],
  catalogue: Catalogue = catalogueOf([]),
): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const [method = '', path = ''] = route.id.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(route, path) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Archipay API',
      version: '1',
      description: CONVENTIONS,
    },
    servers: [{ url: '/api' }],
    paths,
    webhooks: webhooksOf(catalogue),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: { ErrorCode: { type: 'string', enum: Object.keys(CODES) } },
    },
  };
}

/** What is sent to those who want to hear of it, by type. */
function webhooksOf(catalogue: Catalogue): Record<string, unknown> {
  return Object.fromEntries(
    catalogue.names.map((name) => {
      const same = catalogue.of(name);
      const [first] = same;
      const schemas = same.map(({ schema }) => schema);
      const data = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
      const content = {
        schema: plainSchema(envelope(data as TSchema)),
        examples: Object.fromEntries(
          same.map((type, i) => [`example${i + 1}`, { value: exampleOf(type) }]),
        ),
      };
      const post = {
        operationId: `on${name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
        summary: first?.summary,
        description: `Schema version ${first?.version}, since ${first?.since}.`,
        parameters: WEBHOOK_HEADERS,
        requestBody: { required: true, content: { 'application/json': content } },
        responses: { '2XX': { description: 'It was taken; anything else is tried again' } },
      };
      return [name, { post }];
    }),
  );
}

/** Standard Webhooks. */
const WEBHOOK_HEADERS = [
  { name: 'webhook-id', description: 'The event’s id, the same in every attempt' },
  { name: 'webhook-timestamp', description: 'Seconds since 1970, of this attempt' },
  { name: 'webhook-signature', description: '`v1,` and the HMAC, for each secret that is valid' },
].map((header) => ({ ...header, in: 'header', required: true, schema: { type: 'string' } }));

const exampleOf = ({ name, object, version, example }: AnyEventType): object => ({
  id: 'evt_01KAMCSW5F6N1DM3V8Q2ZT7XYB',
  type: name,
  timestamp: '2026-11-22T03:00:58.447Z',
  schema_version: version,
  client_id: 2,
  sequence: 4711,
  live: false,
  object: { type: object, id: '812', version: 4711 },
  request: {
    id: 'b8b4f7b2-4f0c-4c38-9a4e-1f0c2a7d9d3e',
    idempotency_key: 'first-top-up',
    actor: 'user:3',
    operation: '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
  },
  data: example,
});

function operation({ id, family, endpoint }: Route, path: string): object {
  const { params, query, body, bodyKind, reply, summary } = endpoint;
  const changing = !id.startsWith('GET ');
  return {
    operationId: operationId(id),
    summary,
    tags: [path.split('/')[1] ?? ''],
    security: security(endpoint),
    parameters: [
      ...fields(params, 'path'),
      ...fields(query, 'query'),
      ...(changing ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body && {
      requestBody: {
        ...(bodyKind === 'list' && { description: 'Up to 1 MiB' }),
        required: ((body as { required?: string[] }).required ?? []).length > 0,
        content: { 'application/json': { schema: plainSchema(body) } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(reply).map(([status, schema]) => [
          status,
          {
            description: Number(status) < 400 ? 'Success' : 'A failure with an answer of its own',
            content: { [mediaType(schema)]: { schema: plainSchema(schema) } },
          },
        ]),
      ),
      default: {
        description: 'Any failure',
        content: { 'application/json': { schema: FAILURES[family.name] } },
      },
    },
  };
}

/** `getUsersByUserIdTosAcceptanceLink`: what a generated client may call its function. */
function operationId(id: RouteId): string {
  const words = id
    .replaceAll('{', 'by_')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const [method = '', ...path] = words;
  return method.toLowerCase() + path.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

const mediaType = (schema: TSchema): string =>
  'contentMediaType' in schema ? String(schema.contentMediaType) : 'application/json';

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: 'The same key with the same body answers the same again, for 24 hours.',
};

function security({ auth, keyOptional }: AnyEndpoint): object[] {
  if (auth === 'public') return [];
  if (auth === 'key') return [{ apiKey: [] }];
  if (auth === 'either') return [{ apiKey: [] }, { apiKey: [], token: [] }];
  return keyOptional ? [{ token: [] }] : [{ apiKey: [], token: [] }];
}

function fields(schema: TSchema | undefined, place: 'path' | 'query'): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...('description' in field && { description: field.description }),
    schema: plainSchema(field),
  }));
}

/** A schema with our `wire` keyword said in plain JSON Schema. */
export function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { wire, min, max, ...all } = schema as Record<string, unknown>;
  // Not only spaces: true of whatever a reader would try, and strange where examples are made of it.
  const { pattern, ...others } = all;
  const rest = pattern === '\\S' ? others : all;
  const described = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, plainSchema(value)]),
  );
  if (typeof wire !== 'string') return described;
  if (wire === 'moment') return { ...described, type: 'string', format: 'date-time' };
  if (wire === 'id' || wire === 'integer')
    return {
      ...described,
      ...(wire === 'id'
        ? integerOrText(1, ID_MAX, '^[1-9]\\d{0,9}$')
        : integerOrText(min, max, '^-?(0|[1-9]\\d{0,15})$')),
    };
  const positive = wire === 'amount';
  return {
    ...described,
    anyOf: [
      { type: 'number', ...(positive ? { exclusiveMinimum: 0 } : { minimum: 0 }) },
      {
        type: 'string',
        pattern: `^${positive ? '(?=.*[1-9])' : ''}(0|[1-9]\\d{0,29})(\\.\\d{1,18})?$`,
      },
    ],
  };
}

const integerOrText = (minimum: unknown, maximum: unknown, pattern: string) => ({
  anyOf: [
    { type: 'integer', minimum, maximum },
    { type: 'string', pattern },
  ],
});

const text = { type: 'string' };
const details = {
  description: 'More of what is wrong; of a request, field by field',
  examples: [[{ field: 'amount', message: 'is required' }]],
};
const flag = { const: false };
const help = {
  hint: { ...text, description: 'What to do about it' },
  doc_url: { ...text, format: 'uri', description: 'The page of this code' },
};
const helps = ['hint', 'doc_url'];
const code = { $ref: '#/components/schemas/ErrorCode' };
const object = (properties: object, required: string[]) => ({
  type: 'object',
  properties,
  required,
});

/** The failure of each family, as envelope.ts renders it. */
const FAILURES = {
  flat: object({ success: flag, error: text, code, details, ...help, request_id: text }, [
    ...['success', 'error', 'code', 'request_id'],
    ...helps,
  ]),
  error: object({ error: text, code, details, ...help, request_id: text }, [
    ...['error', 'code', 'request_id'],
    ...helps,
  ]),
  coded: object(
    {
      success: flag,
      error: object({ code, message: text, details, ...help }, ['code', 'message', ...helps]),
      timestamp: text,
      request_id: text,
    },
    ['success', 'error', 'timestamp', 'request_id'],
  ),
  status: object(
    { status: { const: 'FAILED' }, message: text, error: {}, code, ...help, request_id: text },
    ['status', 'message', 'code', 'request_id', ...helps],
  ),
  error_code: object(
    {
      success: flag,
      error_code: code,
      message: text,
      details,
      ...help,
      timestamp: text,
      request_id: text,
    },
    ['success', 'error_code', 'message', 'timestamp', 'request_id', ...helps],
  ),
};
