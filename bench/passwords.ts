import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createPasswords } from '#kernel/secrets/password.ts';
import { compare, createMeter, interleave, median, type Size } from './meter.ts';
import { atLeast, atMost, type BenchRow } from './row.ts';

const WAITING = 16;
const RESOLUTION_MS = 1;

/** Log-ins that wait for their hash: their rate, and their effect on other callers. */
export async function runPasswordBench(size: Size): Promise<BenchRow[]> {
  const passwords = createPasswords();
  const stored = await passwords.hash('correct horse');
  const nodes = await nodeCrypto('correct horse');
  const delays: number[] = [];
  const meter = await createMeter();
  const ours = {
    name: 'ours',
    inFlight: WAITING,
    once: async () => mustBeRight(await passwords.verify(stored, 'correct horse')),
  };
  const theirs = { name: 'node', inFlight: WAITING, once: async () => mustBeRight(await nodes()) };
  const bursts = await interleave(
    async (variant: typeof ours, ms: number) => {
      if (variant !== ours) return meter.burst(variant, ms);
      const end = watchLoop();
      const burst = await meter.burst(variant, ms);
      delays.push(end());
      return burst;
    },
    [ours, theirs],
    size,
  );
  const end = watchLoop();
  await sleep(size.ms);
  const idle = end();
  const { capacity, typical, against } = compare(bursts);
  const oneMs = typical('ours', 'nodeUs') / 1000;
  return [
    atLeast({
      bar: 'P1',
      what: 'argon2id verifications, capacity of node:crypto',
      limit: 2,
      measured: capacity('ours', 'node'),
      note: against('ours', 'node'),
    }),
    atMost({
      bar: 'P1',
      what: `event loop delay p99 with ${WAITING} log-ins waiting, of one verification`,
      measured: median(delays) / oneMs,
      limit: 1,
      note: `${median(delays).toFixed(1)} ms, ${idle.toFixed(1)} of it the machine's own, against ${oneMs.toFixed(1)} ms`,
    }),
  ];
}

/** Answers the p99 of the event loop's delay, in milliseconds. */
function watchLoop(): () => number {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  return () => {
    loop.disable();
    // The histogram holds the pauses between ticks, of which the resolution is no delay.
    return loop.percentile(99) / 1e6 - RESOLUTION_MS;
  };
}

function mustBeRight(right: boolean): number {
  if (!right) throw new Error('A right password was refused');
  return 1;
}

/** The same parameters by OpenSSL. */
async function nodeCrypto(message: string): Promise<() => Promise<boolean>> {
  const nonce = randomBytes(16);
  const parameters = { message, nonce, parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };
  const hash = promisify(argon2);
  const stored = await hash('argon2id', parameters);
  return async () => timingSafeEqual(stored, await hash('argon2id', parameters));
}
