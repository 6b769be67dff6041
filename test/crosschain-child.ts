/** A process of its own for the crash test: burns or mints one transfer, and hangs where it is told. */
import { randomBytes } from 'node:crypto';
import { createNetwork, type ManagedNetwork } from '#chains/evm/network.ts';
import { platformKeys } from '#chains/evm/port.ts';
import { burn } from '#features/crosschain/burn.ts';
import { crosschainDeps } from '#features/crosschain/crosschain.ts';
import { mint } from '#features/crosschain/mint.ts';
import { findTransfer } from '#features/crosschain/read-store.ts';
import { createBudgets } from '#kernel/access/budgets.ts';
import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { cctp } from '#providers/cctp/adapter.ts';
import { loadConfig } from '#src/config.ts';

export interface Orders {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly mnemonic: string;
  readonly rpcUrls: { readonly sepolia: string; readonly amoy: string };
  /** How far the service's clock is ahead. */
  readonly aheadMs: number;
  readonly step: 'burn' | 'mint';
  /** Before anything is sent, after it was sent, or after it is written down how it ended. */
  readonly hangs: 'before' | 'sent' | 'done';
  readonly log_id: string;
  readonly operation: string;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { log_id, operation } = orders;
const { db, pool } = openDatabase(orders.databaseUrl);
const log = createLog('silent');
const clock = createClock(orders.aheadMs);
const real = createNetwork({
  db,
  log,
  keys: platformKeys(orders.mnemonic),
  dataDir: orders.dataDir,
  rpcUrls: orders.rpcUrls,
});
const evm = hanging(real);
const jobs = createJobs({ pool, clock, log });
const deps = crosschainDeps({
  ...{ db, clock, log, jobs, evm, config: loadConfig({ NODE_ENV: 'test' }) },
  effects: createEffects({ db, jobs, clock, log }),
  vault: createVault(`1:${randomBytes(32).toString('base64')}`),
  budgets: createBudgets({ clock, log }),
  cctp: cctp({ url: () => '', chains: {}, relayer: evm.keys.relayer.address }),
  signersOf: async () => [],
});
deps.effects.register([deps.burns, deps.mints, deps.fees]);

const transfer = await findTransfer(db, { log_id });
if (transfer === undefined) throw new Error(`There is no transfer ${log_id}`);
const asked = { caller: transfer };
if (orders.step === 'burn')
  await burn(deps, { log_id, operation, mode: 'backend', payers: [], asked });
else await mint(deps, transfer, { operation, asked });
await hang();

/** The same chains, where sending the burn or mint itself never comes back. */
function hanging(network: ManagedNetwork): ManagedNetwork {
  const chainOf = (key: 'sepolia' | 'amoy') => {
    const chain = network.chains[key];
    const { sender } = chain;
    return {
      ...chain,
      sender: {
        ...sender,
        async send(request: Parameters<typeof sender.send>[0]) {
          if (orders.hangs === 'before') await hang();
          const row = await sender.send(request);
          if (orders.hangs === 'sent') await hang();
          return row;
        },
      },
    };
  };
  const { neon } = network.chains;
  return { ...network, chains: { sepolia: chainOf('sepolia'), amoy: chainOf('amoy'), neon } };
}

/** Says so, and stays until it is killed. */
function hang(): Promise<never> {
  setInterval(() => undefined, 1000);
  process.stdout.write('hangs\n');
  return new Promise(() => undefined);
}
