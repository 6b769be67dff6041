import type { TSchema } from 'typebox';
import { CODES } from './error.ts';
import type { AnyEndpoint, Route } from './route.ts';
import { ID_MAX } from './wire.ts';

export type OpenApi = Readonly<Record<string, unknown>>;

/** OpenAPI 3.1 made of the declarations that validate the requests, so it can't disagree with them. */
export function describeApi(routes: readonly Route[]): OpenApi {
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
      description:
        'Payments over fiat wallets, cards and chains. Every answer carries `x-request-id`; every ' +
        'error also carries it as `request_id`, beside a stable `code`.',
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: { ErrorCode: { type: 'string', enum: Object.keys(CODES) } },
    },
  };
}

function operation({ id, family, endpoint }: Route, path: string): object {
  const { params, query, body, reply, summary } = endpoint;
  const changing = !id.startsWith('GET ');
  return {
    operationId: id.replace(/[^A-Za-z0-9]+/g, '_'),
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
        required: true,
        content: { 'application/json': { schema: plainSchema(body) } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(reply).map(([status, schema]) => [
          status,
          {
            description: Number(status) < 400 ? 'Success' : 'As the contract names it',
            content: { 'application/json': { schema: plainSchema(schema) } },
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

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: 'The same key with the same body answers the same again, for 24 hours.',
};

function security({ auth, keyOptional }: AnyEndpoint): object[] {
  if (auth === 'public') return [];
  if (auth === 'key') return [{ apiKey: [] }];
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
    schema: plainSchema(field),
  }));
}

/** Our `wire` keyword, said in plain JSON Schema. */
function plainSchema(schema: unknown): unknown {
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
      ...integerOrText(wire === 'id' ? 1 : min, wire === 'id' ? ID_MAX : max),
    };
  const positive = wire === 'amount' ? { exclusiveMinimum: 0 } : { minimum: 0 };
  return {
    ...described,
    anyOf: [
      { type: 'number', ...positive },
      { type: 'string', pattern: '^(0|[1-9]\\d{0,29})(\\.\\d{1,18})?$' },
    ],
  };
}

const integerOrText = (minimum: unknown, maximum: unknown) => ({
  anyOf: [
    { type: 'integer', minimum, maximum },
    { type: 'string', pattern: '^-?\\d+$' },
  ],
});

const text = { type: 'string' };
const flag = { const: false };
const code = { $ref: '#/components/schemas/ErrorCode' };
const object = (properties: object, required: string[]) => ({
  type: 'object',
  properties,
  required,
});

/** The failure of each family, as family.ts renders it. */
const FAILURES = {
  flat: object({ success: flag, error: text, code, details: {}, request_id: text }, [
    'success',
    'error',
    'code',
  ]),
  error: object({ error: text, code, details: {}, request_id: text }, ['error', 'code']),
  coded: object(
    {
      success: flag,
      error: object({ code, message: text, details: {} }, ['code', 'message']),
      timestamp: text,
      request_id: text,
    },
    ['success', 'error', 'timestamp'],
  ),
  status: object(
    { status: { const: 'FAILED' }, message: text, error: {}, code, request_id: text },
    ['status', 'message'],
  ),
  error_code: object(
    {
      success: flag,
      error_code: code,
      message: text,
      details: {},
      timestamp: text,
      request_id: text,
    },
    ['success', 'error_code', 'message', 'timestamp'],
  ),
};
