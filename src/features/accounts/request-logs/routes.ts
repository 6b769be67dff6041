import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { timeQuery } from '#kernel/http/declare/page.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  integerInput,
  Nullable,
  oneOfWords,
  stamped,
  TextOrNull,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { findRequestLog, listRequestLogs, type RequestLog } from './store.ts';
import type { RequestLogWriter } from './writer.ts';

const endpoint = endpoints(codedEnvelope);

const IDEMPOTENCY = ['none', 'first', 'replayed'] as const;

const Line = named('RequestLog', {
  request_id: explained(Type.String(), 'As `x-request-id` of the answer'),
  at: Timestamp,
  method: Type.String(),
  path: explained(Type.String(), 'The path of the endpoint as the reference has it'),
  status: Type.Integer(),
  ms: explained(Type.Number(), 'Milliseconds from the request to its answer'),
  error_code: TextOrNull,
  key_prefix: explained(TextOrNull, 'The first characters of the API key'),
  user_id: Nullable(Type.Integer()),
  network: explained(TextOrNull, 'The /24 or /56 of the caller’s address'),
  api_version: explained(TextOrNull, 'The version that the request or its key names'),
  idempotency: explained(
    oneOfWords(IDEMPOTENCY),
    '`first` with an `Idempotency-Key`, `replayed` where an earlier answer was sent again',
  ),
  dry_run: Type.Boolean(),
  object: explained(
    Nullable(named('RequestLogObject', { type: Type.String(), id: Type.String() })),
    'The first object that the request made or changed, as its events name it',
  ),
});

const REQUEST_ID = '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Users see their own requests, admins those of their client, the operator all. */
export const requestLogRoutes = (writer: RequestLogWriter): Route[] => [
  endpoint('GET /request-logs', {
    name: 'requestLogs.list',
    auth: 'user',
    console: true,
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists requests of the last seven days',
    query: Type.Object({
      ...cursorQuery,
      ...timeQuery,
      status: Type.Optional(integerInput(100, 599)),
      method: Type.Optional(oneOfWords(METHODS)),
      path: Type.Optional(explained(text(200), 'The path as the reference has it')),
      key_id: Type.Optional(IdInput),
      user_id: Type.Optional(IdInput),
      error_code: Type.Optional(explained(text(100), 'The code of the error that was answered')),
    }),
    reply: { 200: stamped({ data: cursorPage(Line) }) },
    fault: 'Failed to list requests',
    async handler({ caller, query, db }) {
      const { wanted, page } = cursorReader(query);
      await writer.flush();
      const found = await listRequestLogs(db, tenantScopeOf(caller), query, wanted);
      return { data: page(found, ({ log_id }) => log_id, shown) };
    },
  }),
  endpoint('GET /request-logs/{request_id}', {
    name: 'requestLogs.get',
    auth: 'user',
    console: true,
    errors: ['NOT_FOUND'],
    summary: 'Shows one request of the last seven days',
    params: Type.Object({
      request_id: Type.String({ minLength: 1, maxLength: 128, examples: [REQUEST_ID] }),
    }),
    reply: { 200: stamped({ data: Line }) },
    fault: 'Failed to read a request',
    async handler({ caller, params, db }) {
      await writer.flush();
      const found = await findRequestLog(db, tenantScopeOf(caller), params.request_id);
      if (!found) throw fail('NOT_FOUND', 'There is no such request in the last seven days');
      return { data: shown(found) };
    },
  }),
];

const shown = ({ object_type: type, object_id: id, ...line }: RequestLog) => ({
  request_id: line.request_id,
  at: line.at,
  method: line.method,
  path: line.path,
  status: line.status,
  ms: Math.round(line.ms * 10) / 10,
  error_code: line.error_code,
  key_prefix: line.key_prefix,
  user_id: line.user_id,
  network: line.network,
  api_version: line.api_version,
  idempotency: line.idempotency as (typeof IDEMPOTENCY)[number],
  dry_run: line.dry_run,
  object: type === null || id === null ? null : { type, id },
});
