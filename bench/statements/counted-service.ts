import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { isOfRequest } from '../../test/request-limits.ts';
import { sent, trips } from '../../test/statements.ts';

/** The service, which records the statements of each request that ran alone. */
const file = process.env['COUNTED_FILE'] ?? '';
let inFlight = 0;
let isAlone = false;

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRequest', async () => {
    isAlone = inFlight === 0;
    inFlight += 1;
    sent.length = trips.length = 0;
  });
  fastify.addHook('onResponse', async ({ route }, { statusCode }) => {
    inFlight -= 1;
    if (!isAlone || route === undefined || statusCode >= 300) return;
    const count = (texts: readonly string[]) => texts.filter(isOfRequest).length;
    const counted = { id: route.id, trips: count(trips), statements: count(sent) };
    appendFileSync(file, `${JSON.stringify(counted)}\n`);
  });
});

await import('../../src/main.ts');
