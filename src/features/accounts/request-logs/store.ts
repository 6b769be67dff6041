import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type RequestLog = Row<'request_logs'>;
export type NewRequestLog = Omit<RequestLog, 'log_id'>;

const COLUMNS = {
  at: 'timestamptz',
  request_id: 'text',
  method: 'text',
  path: 'text',
  status: 'smallint',
  ms: 'real',
  error_code: 'text',
  key_id: 'integer',
  key_prefix: 'text',
  client_id: 'integer',
  user_id: 'integer',
  network: 'text',
  api_version: 'text',
  idempotency: 'text',
  dry_run: 'boolean',
  object_type: 'text',
  object_id: 'text',
} as const satisfies Record<keyof NewRequestLog, string>;

const NAMES = Object.keys(COLUMNS) as (keyof NewRequestLog)[];
const LISTS = Object.values(COLUMNS).map((type, n) => `$${n + 1}::${type}[]`);
const INSERT = `insert into request_logs (${NAMES.join()}) select * from unnest(${LISTS.join()})`;

export async function insertRequestLogs(db: Db, rows: readonly NewRequestLog[]): Promise<void> {
  await run(
    db,
    INSERT,
    NAMES.map((name) => rows.map((row) => row[name])),
  );
}

/** What a list is narrowed to; times include both ends. */
export interface RequestLogFilters {
  readonly status?: number | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly key_id?: number | undefined;
  readonly user_id?: number | undefined;
  readonly error_code?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

const CONDITIONS: Readonly<Record<keyof RequestLogFilters, string>> = {
  status: 'status =',
  method: 'method =',
  path: 'path =',
  key_id: 'key_id =',
  user_id: 'user_id =',
  error_code: 'error_code =',
  created_from: 'at >=',
  created_to: 'at <=',
};

/** Newest first, before that number. */
export async function listRequestLogs(
  db: Db,
  scope: TenantScope,
  filters: RequestLogFilters,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<RequestLog[]> {
  const { conditions, values } = scoped(scope);
  const add = (condition: string, value: unknown) => {
    values.push(value);
    conditions.push(`${condition} $${values.length}`);
  };
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const value = filters[name as keyof RequestLogFilters];
    if (value !== undefined) add(condition, value);
  }
  if (before !== undefined) add('log_id <', before);
  // In the words of the index of failures, which a parameter could not use.
  if ((filters.status ?? 0) >= 400 || filters.error_code !== undefined)
    conditions.push('status >= 400');
  values.push(limit);
  const text = `select * from request_logs where ${conditions.join(' and ')}
    order by log_id desc limit $${values.length}`;
  return run<RequestLog>(db, text, values);
}

/** The last one with that id; callers may send one id more than once. */
export async function findRequestLog(
  db: Db,
  scope: TenantScope,
  request_id: string,
): Promise<RequestLog | undefined> {
  const { conditions, values } = scoped(scope);
  values.push(request_id);
  conditions.push(`request_id = $${values.length}`);
  const text = `select * from request_logs where ${conditions.join(' and ')}
    order by log_id desc limit 1`;
  return (await run<RequestLog>(db, text, values))[0];
}

/** The latest with that id of all clients, newest first. */
export const requestsCalled = (db: Db, request_id: string, limit: number): Promise<RequestLog[]> =>
  run<RequestLog>(
    db,
    'select * from request_logs where request_id = $1 order by log_id desc limit $2',
    [request_id, limit],
  );

function scoped({ client_id, user_id }: TenantScope) {
  const conditions: string[] = ['true'];
  const values: unknown[] = [];
  for (const [name, value] of Object.entries({ client_id, user_id })) {
    if (value === undefined) continue;
    values.push(value);
    conditions.push(`${name} = $${values.length}`);
  }
  return { conditions, values };
}
