import { run } from '#kernel/db/db.ts';
import type { PayoutEnd } from '#sandbox/providers/gateway/simulated-payouts.ts';
import type { Body, Harness } from './harness.ts';

/** A person's actions at the gateway. */
export const gatewayOf = (h: Harness) => ({
  pay: (reference: string, body?: object): Promise<Body> =>
    h.sandbox('POST', `/gateway/payments/${reference}/pay`, body),
  /** In mock mode: new payments wait from now on, as at a real gateway. */
  hold: (): Promise<Body> =>
    h.sandbox('POST', '/gateway/holds', { payments: 'all', payouts: 'all' }),
  /** In mock mode: new payments settle at once from now on. */
  release: (): Promise<Body> => h.sandbox('DELETE', '/gateway/holds'),
  expire: (reference: string): Promise<Body> =>
    h.sandbox('POST', `/gateway/payments/${reference}/expire`),
  end: (reference: string, how: PayoutEnd, body?: object): Promise<Body> =>
    h.sandbox('POST', `/gateway/payouts/${reference}/${how}`, body),
  async spoil(kind: string, times = 1, ms = 20): Promise<void> {
    const fault = { provider: 'gateway', kind, times, ms };
    const armed = await h.sandbox('POST', '/faults', fault);
    if (armed.kind !== kind) throw new Error(`Not armed: ${JSON.stringify([fault, armed])}`);
  },
  calm: (): Promise<Body> => h.sandbox('DELETE', '/faults'),
  /** Units that the gateway holds for us by its own account. */
  async balance(): Promise<bigint> {
    const [row] = await run<{ units: bigint }>(
      h.db,
      `select coalesce(sum((data ->> 'amount')::numeric
           * case data ->> 'cashflow' when 'MONEY_IN' then 100 else -100 end), 0) as units
       from sandbox.records where provider = 'gateway' and kind = 'transaction'
         and data ->> 'status' = 'SUCCESS'`,
      [],
    );
    return row?.units ?? 0n;
  },
});
