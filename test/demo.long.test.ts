import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePorts } from '../chaos/fleet/ports.ts';
import { harness } from './harness.ts';
import { type Service, serviceStarter } from './service.ts';

const start = await serviceStarter();

for (const mock of [true, false]) {
  const h = await harness({ mock, config: { ROLE: 'all', RATE_LIMITS: 'on' } });
  // A person without a client registers with the operator's.
  await h.operator();

  test(`the demo walks the main job, ${mock ? 'in' : 'out of'} mock mode`, async () => {
    const demo = spawn(process.execPath, ['demo/demo.ts'], {
      env: {
        ...process.env,
        NODE_ENV: 'development',
        PUBLIC_URL: h.kernel.publicUrl(),
        SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
      },
    });
    const [output, complaints, [code]] = await Promise.all([
      text(demo.stdout),
      text(demo.stderr),
      once(demo, 'close'),
    ]);
    expect(complaints).toBe('');
    expect(output).toContain('All steps passed');
    expect(code).toBe(0);
  }, 120_000);
}

test('npm start -- --demo walks the main job, and the service stays up', async () => {
  const ports = await freePorts(3);
  const [PORT = '', SANDBOX_PORT = '', SANDBOX_SMTP_PORT = ''] = ports.map(String);
  const walked = await serviceStarter(process.execPath, ['scripts/start.mjs', '--demo']);
  const service = await walked({ PORT, SANDBOX_PORT, SANDBOX_SMTP_PORT }, (said) =>
    said.includes('All steps passed'),
  );
  expect((await fetch(`http://localhost:${PORT}/health/ready`)).status).toBe(200);
  expect(await service.end('SIGTERM')).toBe(0);
}, 120_000);

/** The walk of the guide to signing up, with the address of this service. */
function walkTo({ api, sandbox }: Service): string {
  const [, text = ''] =
    /```sh\n(.*?)```/s.exec(readFileSync('docs/guides/sign-up.md', 'utf8')) ?? [];
  expect(text).toContain('curl');
  return text
    .replaceAll('http://localhost:3000', api.replace(/\/api$/, ''))
    .replaceAll('http://localhost:3001', sandbox);
}

test('the walk of a new company ends with a statement in any shell, in parallel, repeatedly', async () => {
  const service = await start();
  const walk = async (shell: string) => {
    const { stdout, stderr } = await promisify(execFile)(shell, ['-c', walkTo(service)]);
    expect(stderr).toBe('');
    const [client, topUp, statement] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(client.client).toMatchObject({ client_alias: 'Ada & Co' });
    expect(topUp.data).toMatchObject({ amount: 100, net_amount: 97 });
    expect(JSON.stringify(statement)).toContain('"97.00"');
  };
  // Two behind one address, then more of them than there are keys for.
  await Promise.all([walk('sh'), walk('bash')]);
  for (const shell of ['sh', 'bash', 'sh', 'bash', 'sh']) await walk(shell);
  await service.end('SIGTERM');
});
