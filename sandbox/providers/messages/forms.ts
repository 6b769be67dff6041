import type { FastifyInstance } from 'fastify';

/** Lets a simulator take bodies as HTML forms send them, which some providers want. */
export function readFormBodies(server: FastifyInstance): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
}
