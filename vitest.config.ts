import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { WaitingEarly } from './test/order.ts';

export default defineConfig({
  test: {
    include: ['{src,sandbox,embedded,test,contracts}/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    // One more than there are cores: what starts processes or waits for time leaves them to others. Each worker more
    // loads and compiles the service once more (on two cores four took a tenth more of the processor) and takes 0.7 GiB.
    maxWorkers: Math.min(availableParallelism(), 7) + 1,
    sequence: { sequencer: WaitingEarly },
    // The service is loaded once for many files: that took longer than testing it.
    isolate: false,
    // Generous, because machines are shared: nothing here is about being fast.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Tests run the sources as Node runs them in production, without a transform in between.
    experimental: { viteModuleRunner: false },
    env: { NODE_ENV: 'test' },
  },
});
