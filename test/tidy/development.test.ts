import { expect, test } from 'vitest';
import { breaking, shipped } from './sources.ts';

/** The sandbox and the embedded database are development's: a production image has neither. */

test('the product loads sandbox and embedded database at one place each, by a call', () => {
  const mentions = breaking(shipped, /'#(sandbox|embedded)\/|\/(sandbox|embedded)\/[\w-]+\.ts'/);
  expect(mentions.map((at) => at.replace(/:\d+: /, ': '))).toEqual([
    "src/app/sandbox-door.ts: const { sandboxDoor } = await import('#sandbox/door.ts');",
    "src/app/start/start.ts: import('#embedded/embedded.ts'),",
    "src/app/start/start.ts: import('#embedded/supervisor.ts'),",
  ]);
});

test('no file of the product is a simulator', () => {
  const named = shipped.filter(({ path }) => /simulat(?!e\.ts)|\/node\//.test(path));
  expect(named.map(({ path }) => path)).toEqual([]);
});
