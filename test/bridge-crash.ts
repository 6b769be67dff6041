import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { bridgeBooks, bridger } from './bridge.ts';
import type { BridgeOrders, HangingBridge } from './bridge-child.ts';
import { killWhereItHangs } from './child.ts';
import { usdcOf } from './crosschain.ts';
import { TEST_MNEMONIC } from './evm.ts';
import { type Body, type Harness, harness, type Person } from './harness.ts';

/** For tests that kill a process in the middle of transfers over the bridge. */
export async function bridgeCrashes() {
  const { MASTER_KEY: masterKey } = newSecrets();
  const h = await harness({ mock: false, masterKey, config: { JWT_TTL: '10000000' } });
  await h.drain();
  const { sepolia, amoy } = h.app.evm.chains;
  const rpcUrls = { sepolia: await sepolia.url(), amoy: await amoy.url() };
  return {
    h,
    /** Begins them in another process, and kills that where the last one hangs. */
    killed(flows: readonly HangingBridge[]): Promise<void> {
      const orders: BridgeOrders = {
        databaseUrl: h.kernel.pool.options.connectionString ?? '',
        dataDir: h.dataDir,
        sandboxUrl: h.app.sandboxUrl(),
        mnemonic: TEST_MNEMONIC,
        masterKey,
        rpcUrls,
        aheadMs: h.clock.offsetMs,
        flows,
      };
      return killWhereItHangs('bridge-child.ts', orders);
    },
  };
}

export const bridgeCaller = ({ user_id, client_id }: Person) => ({
  key: null,
  user_id,
  client_id,
  role: 'user' as const,
  operator: false,
  session_id: randomUUID(),
});

/** The clock passes every lease and pause, also those of the fees that follow; what waits is done. */
export async function later(h: Harness): Promise<void> {
  for (const seconds of [180, 600, 600, 1800]) {
    await h.advance(seconds);
    await h.drain();
  }
}

const unit = (text: string) => BigInt(text.replace('.', ''));

interface Far {
  readonly to_chain: string;
  /** Where the near part is a burn, or taken in by the treasury. */
  readonly near: 'burn' | 'take';
  recipient(): Promise<string>;
  /** All that recipients have got there. */
  arrived(recipients: readonly string[]): Promise<bigint>;
}

/** A transfer for each step, before its call and after it, of which the process dies; what they came to. */
export async function expectEachOnce(
  { h, killed }: Awaited<ReturnType<typeof bridgeCrashes>>,
  { to_chain, near, recipient, arrived }: Far,
): Promise<void> {
  const flows: (HangingBridge & { to: string; received: bigint; as: Person; id: string })[] = [];
  for (const at of [near, 'mint', 'send'] as const)
    for (const hangs of ['before', 'after'] as const) {
      const { as, address: source, quote } = await bridger(h, { usdc: '30' });
      const to = await recipient();
      const [, { data }] = await quote({ to_chain, recipient_address: to });
      const [row] = await h.db
        .selectFrom('quotes')
        .select('quote_id')
        .where('user_id', '=', as.user_id)
        .execute();
      const { quote_id = '' } = row ?? {};
      const received = unit(data.min_received);
      const operation = randomUUID();
      const own = { operation, caller: bridgeCaller(as), quote_id, source, at, hangs };
      flows.push({ ...own, to, received, as, id: data.quote_id });
    }
  const before = await arrived(flows.map(({ to }) => to));
  await killed(flows.map(({ to: _, received: __, as: ___, id: ____, ...flow }) => flow));
  await later(h);
  const left = () => Promise.all(flows.map(({ source }) => usdcOf(h, 'sepolia', source)));
  // A fee follows its transfer after a pause of its own, which grows while a call is in doubt.
  for (let more = 12; more > 0 && (await left()).some((units) => units !== 5_000_000n); more -= 1)
    await later(h);
  for (const { as, source } of flows) {
    const [, { data }] = await h.call('GET /bridge/transfers', { as });
    expect(data.items.map(({ status }: Body) => status)).toEqual(['COMPLETED']);
    expect(await usdcOf(h, 'sepolia', source)).toBe(5_000_000n);
  }
  const sum = flows.reduce((total, { received }) => total + received, 0n);
  expect((await arrived(flows.map(({ to }) => to))) - before).toBe(sum);
  expect(await bridgeBooks(h)).toMatchObject({ owed: 0n, transit: 0n });
}
