/** A process of its own for crash tests: begins a send, and hangs where its argument says. */

import { createNetwork, type ManagedChain, type ManagedNetwork } from '#chains/evm/network.ts';
import { platformKeys } from '#chains/evm/port.ts';
import { createSends, type SendRequest } from '#features/onchain/sends.ts';
import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import { loadConfig } from '#src/config.ts';

export interface Orders {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly mnemonic: string;
  readonly masterKey: string;
  readonly fxUrl: string;
  readonly rpcUrl: string;
  readonly user_id: number;
  readonly operation: string;
  readonly request: SendRequest;
  /** Before anything is signed, after it is sent, or after it is mined. */
  readonly hangs: 'written' | 'sent' | 'mined';
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { db, pool } = openDatabase(orders.databaseUrl);
const log = createLog('silent');
const clock = createClock();
const config = loadConfig({ NODE_ENV: 'test' });
const network = createNetwork({
  db,
  log,
  keys: platformKeys(orders.mnemonic),
  dataDir: orders.dataDir,
  rpcUrls: { amoy: orders.rpcUrl },
});
const effects = createEffects({ db, clock, log, jobs: createJobs({ pool, clock, log }) });
const sends = createSends({
  ...{ db, clock, log, config, evm: hanging(network) },
  vault: createVault(orders.masterKey),
  effects,
  fx: exchangeRates({ url: () => orders.fxUrl, clock }),
});
effects.register(sends.effects);
await sends.send(orders.user_id, orders.operation, orders.request);

function hanging({ chains, ...rest }: ManagedNetwork): ManagedNetwork {
  return { ...rest, chains: { ...chains, amoy: hangingChain(chains.amoy) } };
}

function hangingChain(chain: ManagedChain): ManagedChain {
  const { sender } = chain;
  return {
    ...chain,
    sender: {
      ...sender,
      async execute(request) {
        if (orders.hangs === 'sent') await sender.send(request);
        if (orders.hangs === 'mined') await sender.execute(request);
        console.log('hangs');
        return new Promise(() => setInterval(() => undefined, 1_000));
      },
    },
  };
}
