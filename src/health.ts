import type { FastifyInstance } from 'fastify';
import type { Kernel } from '#kernel/kernel.ts';

type Check = () => Promise<void>;

const CHECK_MS = 2000;

/** Live: the process answers. Ready: what it needs answers too, and what does not is named. */
export function mountHealth(server: FastifyInstance, kernel: Kernel): void {
  const checks: Readonly<Record<string, Check>> = {
    database: async () => void (await kernel.pool.query('select 1')),
    migrations: async () => void (await kernel.pool.query('select 1 from clients limit 1')),
    jobs: async () => void (await kernel.jobs.stats()),
  };
  server.get('/health/live', async () => ({ status: 'ok' }));
  server.get('/health/ready', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await passes(check)] as const),
    );
    const missing = results.filter(([, ok]) => !ok).map(([name]) => name);
    return reply.code(missing.length > 0 ? 503 : 200).send({
      status: missing.length > 0 ? 'unavailable' : 'ok',
      checks: Object.fromEntries(results.map(([name, ok]) => [name, ok ? 'ok' : 'failed'])),
      missing,
      role: kernel.config.ROLE,
      mock_mode: kernel.config.MOCK_MODE,
    });
  });
  server.get('/metrics', async (_request, reply) =>
    reply.type(kernel.metrics.registry.contentType).send(await kernel.metrics.registry.metrics()),
  );
}

async function passes(check: Check): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, CHECK_MS, false).unref());
  return Promise.race([
    check().then(
      () => true,
      () => false,
    ),
    late,
  ]);
}
