import type { FastifyInstance } from 'fastify';

const NAME = Symbol.for('fastify.display-name');

/**
 * Routes with hooks and parsers of their own. They have a name, since Fastify looks for that of a nameless one through
 * every module that was ever loaded.
 */
export const scope = (
  server: FastifyInstance,
  name: string,
  build: (own: FastifyInstance) => void,
  prefix = '',
) =>
  server.register(
    Object.assign(async (own: FastifyInstance) => build(own), { [NAME]: name }),
    { prefix },
  );
