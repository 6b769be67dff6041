import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { FAULT_KINDS, type Faults } from './faults.ts';

const TIMES_MAX = 1000;
const MS_MAX = 120_000;

const NewFault = Type.Object({
  provider: text(64),
  kind: oneOfWords(FAULT_KINDS),
  times: Type.Optional(integerInput(1, TIMES_MAX)),
  ms: Type.Optional(integerInput(0, MS_MAX)),
  retry_after: Type.Optional(integerInput(0, 86_400)),
  status: Type.Optional(integerInput(400, 599)),
  code: Type.Optional(text(64)),
});
const FaultSelector = Type.Object({ provider: Type.Optional(text(64)) });

/** `POST /faults` arms one, `GET` shows what is armed, `DELETE` takes it back. */
export function faultControls(
  server: FastifyInstance,
  faults: Faults,
  providers: readonly string[],
): void {
  server.post<{ Body: Static<typeof NewFault> }>(
    '/faults',
    { schema: { body: NewFault } },
    async ({ body }, reply) => {
      const { provider } = body;
      if (!providers.includes(provider)) {
        const error = `No provider ${provider}; there are ${providers.join(', ')}`;
        return reply.code(400).send({ error, code: 'VALIDATION_ERROR' });
      }
      return reply.code(201).send(faults.arm(body));
    },
  );

  server.get('/faults', async () => faults.list());

  server.delete<{ Querystring: Static<typeof FaultSelector> }>(
    '/faults',
    { schema: { querystring: FaultSelector } },
    async ({ query }) => {
      faults.clear(query.provider);
      return faults.list();
    },
  );
}
