import { describe, expect, it } from 'vitest';
import type { Gateway } from '#providers/gateway/port.ts';

export type GatewayCall = (on: Gateway) => Promise<{ readonly kind: string }>;

/** A correct gateway, an impatient one, and some without a server or without access. */
export interface Faulty {
  readonly good: Gateway;
  readonly impatient: Gateway;
  readonly broken: readonly Gateway[];
  arm(kind: string, times?: number, ms?: number): Promise<unknown>;
}

const KINDS = ['refuse', 'drop', 'commit-then-drop', 'error'];

/** Promises of each call to a gateway, with its preparation. */
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

    it('is unknown, not refused, without a server or without access', async () => {
      const call = await prepared();
      for (const one of broken) expect(await call(one)).toMatchObject({ kind: 'unknown' });
    });
  });
}
