import type { FastifyInstance } from 'fastify';
import type { Kernel } from '#kernel/kernel.ts';
import { versionOf } from '#src/app/operate/version.ts';
import { providerStatuses } from '#src/app/providers.ts';
import { sharing } from '#src/app/sharing.ts';

type Check = () => Promise<void>;

const CHECK_MS = 2000;

/**
 * Live: the process answers. Ready: what it needs answers too, and what does not is named. Version:
 * what it is.
 */
export function mountHealth(server: FastifyInstance, kernel: Kernel): void {
  // By the settings alone, and no reason to take no requests: most of them need none of these.
  const providers = Object.fromEntries(
    Object.entries(providerStatuses(kernel.config)).map(([name, { state }]) => [name, state]),
  );
  const checks = checksOf(kernel);
  const ready = sharing(() => failing(checks));
  const metrics = sharing(() => kernel.metrics.registry.metrics());
  mountLiveness(server);
  server.get('/health/ready', async (_request, reply) => {
    const missing = await ready();
    return reply.code(missing.length > 0 ? 503 : 200).send({
      status: missing.length > 0 ? 'unavailable' : 'ok',
      checks: Object.fromEntries(
        Object.keys(checks).map((name) => [name, missing.includes(name) ? 'failed' : 'ok']),
      ),
      missing,
      providers,
      role: kernel.config.ROLE,
      mock_mode: kernel.config.MOCK_MODE,
    });
  });
  server.get('/version', async () => versionOf(kernel.config));
  server.get('/metrics', async (_request, reply) =>
    reply.type(kernel.metrics.registry.contentType).send(await metrics()),
  );
}

const checksOf = ({ pool, jobs }: Kernel): Readonly<Record<string, Check>> => ({
  database: async () => void (await pool.query('select 1')),
  migrations: async () => void (await pool.query('select 1 from clients limit 1')),
  jobs: () => jobs.check(),
});

/** For anybody who reaches the port: whether the process is live and ready, and nothing of what it is made of. */
export function mountBareHealth(server: FastifyInstance, kernel: Kernel): void {
  const ready = sharing(() => failing(checksOf(kernel)));
  mountLiveness(server);
  server.get('/health/ready', async (_request, reply) => {
    const isReady = (await ready()).length === 0;
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' });
  });
}

/** For load balancers: whether to send requests here, and nothing else. */
export function mountLiveness(server: FastifyInstance): void {
  server.get('/health/live', async () => ({ status: 'ok' }));
}

async function failing(checks: Readonly<Record<string, Check>>): Promise<string[]> {
  const names = Object.keys(checks);
  const passed = await Promise.all(Object.values(checks).map(passes));
  return names.filter((_, i) => !passed[i]);
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
