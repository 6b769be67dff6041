import type { Kysely } from 'kysely';
import type { RunnerTestFile } from 'vitest';
import type { DB } from '#kernel/db/schema.generated.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newToken } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import type { App } from '#src/app/app.ts';
import { ask } from './ask.ts';
import { empty, endingThen } from './at-end.ts';
import { type Composition, composed } from './composed.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { watchEmitted } from './emitted-events.ts';
import { removeFolder } from './folders.ts';
import { hashOf } from './hashes.ts';
import { checkHolds } from './held.ts';
import { shareClock } from './morning.ts';
import { checkPayments } from './payments.ts';
import { checkPlans } from './plans/watch.ts';
import { mustBeDeclared, whole } from './refusals.ts';
import { controlsAt } from './sandbox-controls.ts';

export interface HarnessOptions extends Composition {
  /** An operator's changes to the database before the start. */
  readonly sql?: string;
  /** A migrated database with data, instead of an empty one. */
  readonly database?: TestDatabase;
}

export interface Client {
  readonly client_id: number;
  readonly email: string;
}
export interface Person extends Client {
  readonly user_id: number;
  readonly username: string;
  readonly password: string;
  readonly token: string;
}
export interface CallOptions {
  /** Whose token goes along. `'nobody'` sends no API key either. */
  readonly as?: { readonly token: string } | 'nobody';
  readonly key?: string;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies that the schemas have already checked.
export type Body = any;

export interface Harness {
  readonly app: App;
  readonly kernel: Kernel;
  readonly db: Kysely<DB>;
  readonly clock: Kernel['clock'];
  /** An API key without a client, which every call sends by default. */
  readonly key: string;
  /** Everything the service has logged so far. */
  readonly logs: string[];
  readonly dataDir: string;
  call(id: RouteId, options?: CallOptions): Promise<[number, Body]>;
  /** The same with the headers of the answer. */
  send(
    id: RouteId,
    options?: CallOptions,
  ): Promise<{ status: number; body: Body; headers: Headers }>;
  client(fields?: { country_code?: string; client_alias?: string }): Promise<Client>;
  user(fields?: {
    role?: 'user' | 'admin';
    client_id?: number;
    username?: string;
    email?: string;
    password?: string;
    ekyc_status?: 'PENDING' | 'APPROVED' | 'REJECTED';
    phone?: string;
  }): Promise<Person>;
  /** An admin of the platform operator. */
  operator(): Promise<Person>;
  apiKey(fields?: { client_id?: number; user_id?: number; scopes?: string[] }): Promise<string>;
  /** Runs all due jobs, until none is left. */
  drain(): Promise<void>;
  /** Moves the clock and fires due timers. */
  advance(seconds: number): Promise<void>;
  /** Calls a control of the sandbox. */
  sandbox(method: string, path: string, body?: unknown): Promise<Body>;
  /** Messages sent to an address or phone, newest first. */
  messages(to: string): Promise<Body[]>;
}

/**
 * The whole application, listening on a free port, on a database of its own, with its sandbox, at the same
 * time of day in every run. Jobs run when the test runs them. Ends itself after the file, or after the test that
 * has started it.
 */
export const harness = (options: HarnessOptions = {}): Promise<Harness> =>
  endingThen(start(options));

async function start(options: HarnessOptions) {
  const database = options.database ?? (await testDatabase(options.sql));
  const { app, logs, dataDir } = await composed(database.url, options);
  await shareClock(app.kernel.db, app.kernel.clock);
  await app.start();
  const endOfTelling = watchEmitted(app);
  const value = await build(app, logs, dataDir);
  const end = async (file: RunnerTestFile) => {
    await checkHolds(app)
      .finally(() => endOfTelling(file))
      .then(() => checkPayments(app, file.name))
      .finally(() => app.close());
    await checkPlans().finally(() => database.close());
    await removeFolder(dataDir);
    for (const one of [app, value]) empty(one);
  };
  return { value, end };
}

async function build(app: App, logs: string[], dataDir: string): Promise<Harness> {
  const { kernel } = app;
  const { db, clock } = kernel;
  let serial = 0;
  const key = await apiKey();
  const sandbox = controlsAt(() => app.sandboxUrl());

  return {
    app,
    kernel,
    db,
    clock,
    key,
    logs,
    dataDir,
    send,
    call: async (id, options) => {
      const { status, body } = await send(id, options);
      return [status, body];
    },
    client,
    user,
    operator: async () => {
      await operatorClient();
      return user({ role: 'admin', client_id: 1 });
    },
    apiKey,
    drain: async () => void (await kernel.jobs.drain()),
    advance: (seconds) => app.advance(seconds),
    sandbox,
    messages: async (to) => whole(await sandbox('GET', `/messages?to=${encodeURIComponent(to)}`)),
  };

  async function send(id: RouteId, options: CallOptions = {}) {
    const [method = '', path = ''] = id.split(' ');
    const { as, params = {}, query = {}, body, headers = {} } = options;
    const place = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
    const search = new URLSearchParams(
      Object.entries(query).map(([k, v]): [string, string] => [k, String(v)]),
    );
    const reply = await ask(`${app.apiUrl()}${place}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: {
        ...(as === 'nobody' ? {} : { 'x-api-key': options.key ?? key }),
        ...(typeof as === 'object' ? { authorization: `Bearer ${as.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await reply.text();
    const answer = reply.type.includes('json') ? JSON.parse(text) : text;
    mustBeDeclared(app.features.routes, id, reply.status, answer);
    return {
      status: reply.status,
      body: answer,
      get headers() {
        return reply.headers();
      },
    };
  }

  async function client(fields: { country_code?: string; client_alias?: string } = {}) {
    serial += 1;
    const email = `client-${serial}@example.test`;
    const { client_id } = await db
      .insertInto('clients')
      .values({
        client_code: `CL-200001-${String(serial).padStart(4, '0')}`,
        email,
        client_alias: fields.client_alias ?? `Client ${serial}`,
        client_type: 'BUSINESS',
        country_code: fields.country_code ?? 'US',
        phone: '+15550100',
      })
      .returning('client_id')
      .executeTakeFirstOrThrow();
    return { client_id, email };
  }

  async function operatorClient() {
    await db
      .insertInto('clients')
      .values({
        client_id: 1,
        client_code: 'CL-200000-0001',
        email: 'operator@example.test',
        client_alias: 'Operator',
        client_type: 'BUSINESS',
        country_code: 'SG',
        phone: '+6550100',
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async function user(fields: Parameters<Harness['user']>[0] = {}): Promise<Person> {
    serial += 1;
    const client_id = fields.client_id ?? (await client()).client_id;
    const username = fields.username ?? `user-${serial}`;
    const email = fields.email ?? `${username}@example.test`;
    const password = fields.password ?? `Password-${serial}`;
    const { user_id } = await db
      .insertInto('users')
      .values({
        client_id,
        username,
        email,
        phone: fields.phone ?? `+1555${String(serial).padStart(6, '0')}`,
        role: fields.role ?? 'user',
        password_hash: await hashOf(password, kernel),
      })
      .returning('user_id')
      .executeTakeFirstOrThrow();
    if (fields.ekyc_status)
      await db
        .insertInto('verifications')
        .values({ user_id, kind: 'KYC', status: fields.ekyc_status })
        .execute();
    await transact(db, (tx) => app.features.afterUser(tx, { user_id, client_id }));
    const { token } = await kernel.sessions.open(db, { user_id, method: 'password' });
    return { user_id, client_id, username, email, password, token };
  }

  async function apiKey(fields: { client_id?: number; user_id?: number; scopes?: string[] } = {}) {
    const { token, digest } = newToken();
    await db
      .insertInto('api_keys')
      .values({
        key_hash: digest,
        key_prefix: token.slice(0, 10),
        key_suffix: token.slice(-4),
        client_id: fields.client_id ?? null,
        user_id: fields.user_id ?? null,
        ...(fields.scopes ? { scopes: fields.scopes } : {}),
      })
      .execute();
    return token;
  }
}
