import type { Config } from '#kernel/config/config.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import type { MockSetup } from '#src/app/sandbox-door.ts';
import { createRecords } from '../../records.ts';
import { arriveAtExchange } from '../exchange/simulated-deposits.ts';
import { type OfflineSettings, offlineGateway } from './offline.ts';

/** In mock mode no gateway is called: payments and pay-outs are settled as they are requested. */
export function mockGateway({ kernel: { config, clock, db }, sandboxUrl }: MockSetup): Gateway {
  const arrive = arrivals(config);
  return offlineGateway({ records: createRecords(db), clock, sandboxUrl, arrive });
}

/** A pay-out to the exchange's bank account arrives at the sandbox's exchange; a real exchange gets nothing. */
const arrivals = ({ EXCHANGE_BANK, EXCHANGE_URL }: Config): OfflineSettings['arrive'] => {
  const [bankCode, accountNumber] = EXCHANGE_BANK.split(':');
  return async (books, to, reference, amount) => {
    if (EXCHANGE_URL !== undefined || to.bankCode !== bankCode) return;
    if (to.accountNumber === accountNumber) await arriveAtExchange(books, reference, amount);
  };
};
