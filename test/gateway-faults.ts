import { describe, expect, it } from 'vitest';
import type { Gateway } from '#providers/gateway/port.ts';

export type GatewayCall = (on: Gateway) => Promise<{ readonly kind: string }>;

/** A gateway as it should be, one that is impatient, and some that reach nobody or are turned away. */
export interface Faulty {
  readonly good: Gateway;
  readonly impatient: Gateway;
  readonly broken: readonly Gateway[];
  arm(kind: string, times?: number, ms?: number): Promise<unknown>;
}

const KINDS = ['refuse', 'drop', 'commit-then-drop', 'error'];

/** Promises of each call that goes out to a gateway, with what has to be there before it. */
export function promisesOfCalls(
  calls: Readonly<Record<string, () => Promise<GatewayCall>>>,
  { good, impatient, broken, arm }: Faulty,
): void {
  describe.each(Object.entries(calls))('%s', (_name, prepared) => {
    it.each(KINDS)('is unknown after %s, and does well afterwards', async (kind) => {
      const call = await prepared();
      await arm(kind, 1);
      expect(await call(good)).toMatchObject({ kind: 'unknown' });
      expect(await call(good)).toMatchObject({ kind: 'done' });
    });

    it('waits out a short delay, and is unknown after its time-out', async () => {
      const call = await prepared();
      await arm('delay', 1, 30);
      expect(await call(good)).toMatchObject({ kind: 'done' });
      // So long that it wakes in no later test, where it would take another's fault.
      await arm('delay', 1, 120_000);
      expect(await call(impatient)).toMatchObject({ kind: 'unknown' });
    });

    it('is unknown, not refused, where nobody is there or the caller is turned away', async () => {
      const call = await prepared();
      for (const one of broken) expect(await call(one)).toMatchObject({ kind: 'unknown' });
    });
  });
}
