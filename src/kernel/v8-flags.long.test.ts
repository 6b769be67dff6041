import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** With so little room for new objects V8 always decides after a few collections. */
const FLAGS = ['--max-semi-space-size=1', '--min-semi-space-size=1', '--expose-gc'];

/** Allocates objects that all survive at one place of the code; answers whether the next one is young. */
async function isNextYoung(before: string): Promise<boolean> {
  const script = `
    ${before}
    const make = (n) => ({ list: [n, n, n], n });
    const kept = [];
    %PrepareFunctionForOptimization(make);
    for (let round = 0; round < 8; round += 1) {
      for (let n = 0; n < 20_000; n += 1) kept.push(make(n));
      for (let pass = 0; pass < 2; pass += 1) gc({ type: 'minor' });
    }
    %OptimizeFunctionOnNextCall(make);
    make(1);
    console.log(%InYoungGeneration(make(2).list));`;
  const args = [...FLAGS, '--allow-natives-syntax', '--input-type=module', '-e', script];
  const { stdout } = await run(process.execPath, args);
  return stdout.trim() === 'true';
}

test('V8 allocates a new object young where all objects before it have survived', async () => {
  const module = JSON.stringify(new URL('v8-flags.ts', import.meta.url).href);
  const before = `(await import(${module})).disablePretenuring();`;
  expect(await isNextYoung(before)).toBe(true);
  // V8 itself would make it an old one.
  expect(await isNextYoung('')).toBe(false);
});
