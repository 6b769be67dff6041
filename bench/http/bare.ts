import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import pg from 'pg';
import { oneCall } from '../ledger/rivals.ts';
import { listening, PROFILE, setting } from './serve.ts';

/** The upper bounds: node:http, and Fastify without any hook. */
if (process.argv[2] === 'node') await serveNode();
else await serveFastify();

async function serveNode(): Promise<void> {
  const server = createServer((_request, response) => {
    const body = JSON.stringify(PROFILE);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
  });
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  listening({ port }, async () => server.close());
}

async function serveFastify(): Promise<void> {
  const pool = new pg.Pool({ connectionString: setting('DATABASE_URL'), max: 20 });
  const pay = oneCall(pool);
  const server = Fastify();
  server.get('/profile/:id', async () => PROFILE);
  server.get<{ Params: { id: string } }>('/balance/:id', async ({ params }) => {
    const { rows } = await pool.query({
      name: 'balance',
      text: `select account_id, posted, held, posted - held as available
               from ledger.accounts where account_id = $1`,
      values: [params.id],
    });
    return rows[0];
  });
  server.post<{ Body: { from: number; to: number } }>('/transfer', async ({ body }) => {
    await pay(body.from, body.to);
    return { status: 'posted' };
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  listening({ port }, () => server.close());
}
