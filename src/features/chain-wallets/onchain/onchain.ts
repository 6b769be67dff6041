import type { EvmNetwork } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { CHAIN_PAYMENTS, TRANSFER_EVENTS } from './events.ts';
import { onchainHistoryRoutes } from './history-routes.ts';
import { ONCHAIN_PERSON_DATA } from './person-data.ts';
import { chainRails } from './rails.ts';
import { ONCHAIN_WORDS } from './reference.ts';
import { reportedTransfer } from './reported.ts';
import { onchainRoutes } from './routes.ts';
import { createSends } from './sends.ts';
import { findSend } from './store.ts';

/** Whether a send of that operation was written down: then it happens, or its refusal is recorded. */
export const hasSend = async (db: Db, operation: string): Promise<boolean> =>
  (await findSend(db, operation)) !== undefined;

type OnchainDeps = Pick<
  Kernel,
  'db' | 'vault' | 'clock' | 'log' | 'config' | 'effects' | 'policies'
> & {
  readonly evm: EvmNetwork;
  readonly fx: ExchangeRates;
};

/** Sends from managed wallets and their log (contract: Onchain transactions). */
export function createOnchain(deps: OnchainDeps): Feature {
  const sends = createSends(deps);
  deps.evm.listen(sends.hear);
  return {
    name: 'onchain',
    personData: ONCHAIN_PERSON_DATA,
    reference: ONCHAIN_WORDS,
    payments: [{ object: 'transfer', rail: 'onchain', source: CHAIN_PAYMENTS }],
    effects: sends.effects,
    schedules: sends.schedules,
    rails: chainRails(deps),
    events: [...TRANSFER_EVENTS, reportedTransfer],
    routes: [...onchainRoutes({ ...deps, sends }), ...onchainHistoryRoutes(deps.clock)],
  };
}
