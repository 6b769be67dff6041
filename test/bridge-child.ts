/** A process of its own for the crash test of the bridge: begins transfers, each of which hangs at the given point. */

import { createNetwork, type ManagedNetwork } from '#chains/evm/network.ts';
import { type EvmChain, platformKeys } from '#chains/evm/port.ts';
import { createCrosschain } from '#features/chain-wallets/crosschain/crosschain.ts';
import { userSigners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { beginBridge } from '#features/ramps/bridge/begin.ts';
import { depsOf } from '#features/ramps/bridge/bridge.ts';
import { legListener } from '#features/ramps/bridge/moves.ts';
import type { FarLedger } from '#features/ramps/ramp/ramp.ts';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { createMetrics } from '#kernel/metrics.ts';
import { createPolicyDecisions } from '#kernel/policies/policies.ts';
import { createQuotas } from '#kernel/quota/quota.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import { openChains } from '#src/app/chains.ts';
import { farLedgers } from '#src/app/features/ramps.ts';
import { createProviders } from '#src/app/providers.ts';

export interface BridgeOrders {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly sandboxUrl: string;
  readonly mnemonic: string;
  readonly masterKey: string;
  readonly rpcUrls: Readonly<Record<'sepolia' | 'amoy', string>>;
  readonly aheadMs: number;
  /** One after the other: each begins when the one before hangs. */
  readonly flows: readonly HangingBridge[];
}

export interface HangingBridge {
  readonly operation: string;
  readonly caller: UserCaller;
  readonly quote_id: string;
  readonly source: string;
  /** The payment ahead of that transfer, instead of one that begins. */
  readonly advances?: string;
  /** The purpose of the transaction at which it hangs. */
  readonly at: 'burn' | 'take' | 'mint' | 'send' | 'advance';
  /** Before it leaves, or after it has happened. */
  readonly hangs: 'before' | 'after';
}

const orders = JSON.parse(process.argv[2] ?? '{}') as BridgeOrders;
const { sandboxUrl, mnemonic } = orders;
const config = loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false' });
const { db, pool } = openDatabase(orders.databaseUrl);
const [clock, log, metrics] = [createClock(orders.aheadMs), createLog('silent'), createMetrics()];
const common = { db, clock, log };
const vault = createVault(orders.masterKey);
const jobs = createJobs({ ...common, pool });
const effects = createEffects({ ...common, jobs });
const policies = createPolicyDecisions({ ...common, vault, metrics });
const fx = exchangeRates({ url: () => `${sandboxUrl}/fx`, clock });
const evm = hangingEvm(
  createNetwork({
    db,
    log,
    dataDir: orders.dataDir,
    keys: platformKeys(mnemonic),
    rpcUrls: orders.rpcUrls,
  }),
);
const kernel = { ...common, config, vault, jobs, effects, policies, metrics };
const place = { url: () => sandboxUrl, sandbox: undefined, otherContracts: [] };
const others = openChains(kernel as never, mnemonic, place as never);
const ledgers = farLedgers(config, others).map(hangingLedger);
const providers = createProviders(
  kernel as never,
  { url: () => sandboxUrl, smtpUrl: () => '', mockMode: undefined },
  others,
);
const crosschain = createCrosschain({
  ...kernel,
  ...providers,
  evm,
  fx,
  quotas: createQuotas({ clock, log, config }),
  signersOf: userSigners(db, vault),
});
const deps = depsOf({ ...kernel, evm, fx, ledgers, legs: crosschain.legs });
crosschain.legs.listen(legListener(deps));
const { attests, takes, mints, sends, advances } = deps;
effects.register([...(crosschain.effects ?? []), attests, takes, mints, sends, advances]);
const request: RequestFacts = {
  id: 'crash',
  ip: '127.0.0.1',
  userAgent: 'test',
  headers: {},
  raw: Buffer.alloc(0),
};
let current: { readonly flow: HangingBridge; readonly reached: () => void } | undefined;

for (const flow of orders.flows) {
  const { promise, resolve } = Promise.withResolvers<void>();
  current = { flow, reached: resolve };
  void begin(flow);
  await promise;
}
setInterval(() => undefined, 1000);
process.stdout.write('hangs\n');

async function begin(flow: HangingBridge): Promise<void> {
  if (flow.advances !== undefined) await effects.drive(advances, flow.advances);
  else await beginBridge(deps, { ...flow, request });
}

async function hanging<T>(purpose: string, call: () => Promise<T>): Promise<T> {
  const mine = current;
  if (!mine || purpose !== `bridge ${mine.flow.at}`) return call();
  if (mine.flow.hangs === 'after') await call();
  mine.reached();
  return new Promise(() => undefined);
}

function hangingEvm(real: ManagedNetwork): ManagedNetwork {
  const slow = (chain: EvmChain): EvmChain => {
    const { sender } = chain;
    const send: typeof sender.send = (wish) => hanging(wish.purpose, () => sender.send(wish));
    const execute: typeof sender.execute = (wish) =>
      hanging(wish.purpose, () => sender.execute(wish));
    return { ...chain, sender: { ...sender, send, execute } };
  };
  const { sepolia, amoy } = real.chains;
  const chains = { ...real.chains, sepolia: slow(sepolia), amoy: slow(amoy) };
  return { ...real, chains } as ManagedNetwork;
}

function hangingLedger(real: FarLedger): FarLedger {
  const make: FarLedger['make'] = (order) =>
    hanging(order.to ? 'bridge send' : 'bridge mint', () => real.make(order));
  return { ...real, make };
}
