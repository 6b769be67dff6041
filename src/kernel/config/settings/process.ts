import { Type } from 'typebox';
import { commit, edition, optional, port, setting, url, words } from '../setting-kinds.ts';

/** The process. */
export const PROCESS_SETTINGS = {
  NODE_ENV: setting(
    optional(words(['development', 'test', 'production'] as const)),
    '`development`, `test` or `production`',
    { usually: '`development`', production: 'production' },
  ),
  ROLE: setting(
    optional(words(['api', 'worker', 'all'] as const)),
    '`api` answers requests, `worker` runs jobs, `all` does both',
    { usually: '`all`' },
  ),
  HOST: setting(
    Type.String({ default: '127.0.0.1' }),
    'address to listen on; `0.0.0.0` for every interface',
  ),
  PORT: setting(port(3000), 'port of the API'),
  WORKER_PORT: setting(
    optional(port()),
    'port on which a worker answers `/health/…` and `/metrics`',
  ),
  OPS_PORT: setting(
    optional(port()),
    'port on which every process answers `/health/…`, `/version` and `/metrics` instead, so that `PORT` can be public; that keeps `/health/live`',
  ),
  OPS_PUBLIC: setting(
    optional(words(['on', 'off'] as const)),
    'whether `PORT` answers strangers `/metrics`, `/version` and what `/health/ready` names, where `OPS_PORT` is not set; otherwise it answers `/health/live` and the bare status of `/health/ready`',
    { usually: 'outside production' },
  ),
  DOCS: setting(
    words(['on', 'off'] as const, 'on'),
    '`off`: no reference and no document; the pages of errors stay',
  ),
  PUBLIC_URL: setting(optional(url), 'where callers reach the service, for links in messages', {
    usually: 'from `PORT`',
    production: '',
  }),
  LOGIN_URL: setting(optional(url), 'where people log in, for welcome messages', {
    usually: 'a page of ours',
  }),
  TOS_URL: setting(
    optional(url),
    'where the terms of service are, for the page on which users accept them',
  ),
  TOS_VERSION: setting(
    optional(edition),
    'their version, such as `2026-11`: kept with each acceptance; a user who accepted another version has to accept again',
  ),
  BATCH_LANES: setting(
    Type.Integer({ minimum: 1, maximum: 1000, default: 50 }),
    'payments of one batch that wait for their provider to take them at the same time, over all processes',
  ),
  DATA_DIR: setting(
    Type.String({ default: '.data' }),
    'embedded database, chain state, development secrets',
  ),
  LOG_LEVEL: setting(
    optional(words(['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const)),
    '`trace` to `error`, or `silent`',
    { usually: '`info`' },
  ),
  LOG_PRETTY: setting(
    optional(words(['on', 'off'] as const)),
    '`on` or `off`: lines for people instead of JSON, where `pino-pretty` is installed',
    { usually: '`on` in development on a terminal' },
  ),
  LOG_ADDRESSES: setting(
    words(['on', 'off'] as const, 'off'),
    "`on`: a request's line says from which address it came",
  ),
  REQUEST_LOGS: setting(
    words(['on', 'off'] as const, 'on'),
    '`off`: `/request-logs` keeps no lines of requests',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(optional(url), 'where traces go, by OTLP over HTTP'),
  BUILD_COMMIT: setting(optional(commit), 'the commit that was built, for `/version`'),
};
