import type { AddressInfo } from 'node:net';
import { Type } from 'typebox';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { createLimits, type Limits, type Spending } from '#kernel/http/answer/limits.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import { IdInput, oneOfWords, stamped } from '#kernel/http/declare/schema.ts';
import { mount } from '#kernel/http/serve/mount.ts';
import { createServer } from '#kernel/http/serve/server.ts';
import { createKernel } from '#kernel/kernel.ts';
import { createLog } from '#kernel/log.ts';
import { loadSecrets } from '#src/app/start/secrets-file.ts';
import { bookedTransfer } from '../ledger/payments.ts';
import { listening, PROFILE, setting } from './serve.ts';

/**
 * The whole stack of the service, with endpoints that do next to nothing: rate limit with its
 * headers, API key, token, session, scopes, validation, envelope, reply schema, request id,
 * security headers, metrics, trace and one log line.
 */
const config = loadConfig(process.env);
const kernel = await createKernel({
  config,
  secrets: await loadSecrets(config),
  databaseUrl: setting('DATABASE_URL'),
  clock: createClock(),
  log: createLog(config.LOG_LEVEL),
});
// The emitting process moves its events, as in the service.
kernel.events.start();
const book = bookedTransfer(kernel.db);
const endpoint = endpoints(codedEnvelope);
const params = Type.Object({ id: IdInput });
const Profile = Type.Object({
  user_id: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  full_name: Type.String(),
  country_code: Type.String(),
  phone: Type.String(),
  role: Type.String(),
  status: Type.String(),
  verified: Type.Boolean(),
  created_at: Type.String(),
});
const Balance = Type.Object({ account_id: Type.Integer(), posted: Type.String() });
const ONE = `select account_id, posted, held, posted - held as available
               from ledger.accounts where account_id = $1`;

const routes = [
  endpoint('GET /profile/{id}', {
    name: 'profiles.get',
    auth: 'user',
    summary: 'Nothing is looked up',
    params,
    reply: { 200: stamped({ data: Profile }) },
    handler: async () => ({ data: PROFILE }),
  }),
  endpoint('GET /plain/{id}', {
    name: 'wallets.read',
    auth: 'user',
    summary: 'One statement for each request',
    params,
    reply: { 200: stamped({ data: Balance }) },
    async handler({ params: { id } }) {
      const { rows } = await kernel.pool.query<{ posted: bigint }>(ONE, [id]);
      return { data: { account_id: id, posted: String(rows[0]?.posted ?? 0n) } };
    },
  }),
  endpoint('GET /coalesced/{id}', {
    name: 'wallets.coalesce',
    auth: 'user',
    summary: 'Reads of one moment share a statement',
    params,
    reply: { 200: stamped({ data: Balance }) },
    async handler({ params: { id } }) {
      const balance = await kernel.balances(id);
      return { data: { account_id: id, posted: String(balance?.posted ?? 0n) } };
    },
  }),
  endpoint('POST /transfer', {
    name: 'transfers.create',
    auth: 'user',
    summary: 'A row and its posting, booked with those that come at the same time',
    body: Type.Object({ from: IdInput, to: IdInput, currency: oneOfWords(['IDR']) }),
    reply: { 200: stamped({ data: Type.Object({ status: Type.String() }) }) },
    async handler({ body, operation }) {
      await book(operation, body.from, body.to);
      return { data: { status: 'posted' } };
    },
  }),
];

const server = await createServer({ ...kernel, corsOrigins: '', trustProxy: undefined, routes });
const limits = endless(createLimits({ on: true }));
await server.register(async (api) => mount(api, routes, { ...kernel, limits }), {
  prefix: API_PREFIX,
});
await server.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.server.address() as AddressInfo;
listening({ port }, async () => {
  await server.close();
  await kernel.close();
});

/**
 * The real limits at their full cost, except that the caller changes before a refusal. All requests of the bench are one
 * caller's, so its next name is made once and not for each of them.
 */
function endless(real: Limits): Limits {
  let spent = 0;
  let caller: Spending | undefined;
  return {
    ...real,
    spend(spending, reply) {
      if (spent++ % 900 === 0) caller = nextOf(spending, spent);
      return real.spend(caller ?? spending, reply);
    },
  };
}

const nextOf = ({ below, ...spending }: Spending, turn: number): Spending => ({
  ...spending,
  id: turn,
  ...(below && { below: { address: `${below.address} ${turn}`, client_id: turn } }),
});
