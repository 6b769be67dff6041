import Fastify from 'fastify';

/**
 * The renderer's script, out of its package: megabytes, which only a process has to hold whose reference
 * somebody reads. The package gives it to a server of its own alone.
 */
export async function readRenderer(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = Fastify();
  await server.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await server.inject('/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error(`The renderer's script cannot be read: ${statusCode}`);
  return body;
}
