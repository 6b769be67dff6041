import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { harness } from './harness.ts';

for (const mock of [true, false]) {
  const h = await harness({ mock, config: { ROLE: 'all', RATE_LIMITS: 'on' } });
  // Who has no client of their own registers with the operator's.
  await h.operator();

  test(`the demo walks the main job without a surprise, ${mock ? 'in' : 'out of'} mock mode`, async () => {
    const demo = spawn(process.execPath, ['demo/demo.ts'], {
      env: {
        ...process.env,
        NODE_ENV: 'development',
        PUBLIC_URL: h.kernel.publicUrl(),
        SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
      },
    });
    const [told, complaints, [code]] = await Promise.all([
      text(demo.stdout),
      text(demo.stderr),
      once(demo, 'close'),
    ]);
    expect(complaints).toBe('');
    expect(told).toContain('Everything went as it should.');
    expect(code).toBe(0);
  }, 120_000);
}
