import { expect } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { killWhereItHangs } from './child.ts';
import { gatewayOf } from './gateway-controls.ts';
import type { HangingPayout } from './hanging-payouts.ts';
import { harness } from './harness.ts';
import { unlessRefused } from './sandbox-controls.ts';

/** Every step of a payout in which its process may be killed; the last one after a refusal that was not read. */
export const CRASHES: readonly Omit<HangingPayout, 'id'>[] = [
  { at: 'payout', hangs: 'before' },
  { at: 'payout', hangs: 'after' },
  { at: 'ask', hangs: 'before' },
  { at: 'ask', hangs: 'after' },
  { at: 'payout', hangs: 'after', bankFails: true },
];
/** In rupiah, of each payout. */
export const CRASHED_AMOUNT = '100000';

/** A service that pays out at the real pace, and shares its secrets with the processes that are killed. */
export async function crashHarness(config: Record<string, string> = {}) {
  const { MASTER_KEY: masterKey } = newSecrets();
  const h = await harness({ mock: false, masterKey, config });
  await h.drain();
  const gateway = gatewayOf(h);
  return {
    h,
    gateway,
    /**
     * Kills a process of that script in each step of these payouts, one of CRASHES each, and has the service end what
     * was begun: the gateway has paid each of them once.
     */
    async killedAndEnded(script: string, ids: readonly string[], more: object = {}): Promise<void> {
      const before = await gateway.balance();
      await killWhereItHangs(script, {
        databaseUrl: h.kernel.pool.options.connectionString ?? '',
        sandboxUrl: h.app.sandboxUrl(),
        masterKey,
        aheadMs: h.clock.offsetMs,
        flows: CRASHES.map((crash, n) => ({ id: ids[n] ?? '', ...crash })),
        ...more,
      });
      await h.advance(180);
      await h.drain();
      for (const id of ids) await unlessRefused(gateway.end(id, 'complete'));
      await h.advance(3_600);
      await h.drain();
      const paid = BigInt(CRASHES.length) * BigInt(CRASHED_AMOUNT) * 100n;
      expect((await gateway.balance()) - before).toBe(-paid);
      expect((await verifyLedger(h.db)).broken).toEqual([]);
    },
  };
}
