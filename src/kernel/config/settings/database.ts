import { Type } from 'typebox';
import { databaseUrl, optional, redisUrl, setting, words } from '../setting-kinds.ts';

/** Database and queue. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: setting(optional(databaseUrl), 'any PostgreSQL 15 or later', {
    usually: 'embedded',
    production: '',
  }),
  EMBEDDED_DATABASE: setting(
    optional(words(['allow', 'refuse'] as const)),
    '`allow` or `refuse` to run without `DATABASE_URL`',
    { usually: '`allow` outside production' },
  ),
  MIGRATE: setting(
    words(['on', 'off'] as const, 'on'),
    '`off`: a start refuses a database that `npm run migrate` has not brought up to date',
  ),
  DATABASE_DIRECT_URL: setting(
    optional(databaseUrl),
    'the server itself, where `DATABASE_URL` is a pooler that changes sessions between transactions',
  ),
  DB_POOL: setting(
    Type.Integer({ minimum: 2, maximum: 200, default: 10 }),
    'database connections of one process; two more stand for it and serve the queue',
  ),
  DB_WAIT: setting(
    Type.Integer({ minimum: 1, maximum: 600, default: 10 }),
    'seconds for which work waits for a connection, before it ends as if the database were away',
  ),
  DB_PREPARED: setting(
    Type.Optional(Type.Boolean()),
    '`false` where prepared statements are not kept',
    { usually: '`true` without a pooler' },
  ),
  DATABASE_REPLICA_URL: setting(
    optional(databaseUrl),
    'a server that follows that of `DATABASE_URL`, or several behind one address: lists and histories are read there ([how](design/database.md#60-lists-and-histories-are-read-from-a-replica)); the same for all processes',
  ),
  DB_REPLICA_POOL: setting(
    Type.Integer({ minimum: 1, maximum: 200, default: 10 }),
    'connections of one process to it, beside those to the leader',
  ),
  DB_REPLICA_LAG: setting(
    Type.Integer({ minimum: 0, maximum: 3600, default: 5 }),
    'seconds for which it may be behind and still be read from, by those who have changed nothing',
  ),
  EVENTS_RETENTION_DAYS: setting(
    Type.Integer({ minimum: 1, maximum: 3650, default: 30 }),
    'days for which events can be read, at least; they are forgotten by the million',
  ),
  REDIS_URL: setting(optional(redisUrl), 'shares rate limits between processes'),
};
