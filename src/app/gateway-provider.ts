import type { Kernel } from '#kernel/kernel.ts';
import { arriveAtExchange } from '#sandbox/providers/exchange/simulated-deposits.ts';
import { paymentGateway } from '#providers/gateway/adapter.ts';
import { type OfflineSettings, offlineGateway } from '#sandbox/providers/gateway/offline.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { createRecords } from '#sandbox/records.ts';
import type { Wiring } from './provider-wiring.ts';

/** In mock mode none is called: payments and pay-outs are settled as they are asked for. */
export function gatewayProvider({ kernel, at, gated, sandboxUrl }: Wiring): Gateway {
  const { config, clock, db } = kernel;
  if (config.MOCK_MODE) {
    const arrive = arrivals(config);
    return offlineGateway({ records: createRecords(db), clock, sandboxUrl, arrive });
  }
  return gated(
    config.IDR_GATEWAY === 'idrx' ? 'idrx' : 'gateway',
    paymentGateway(config, {
      xendit: at(config.GATEWAY_URL, '/gateway'),
      idrx: at(config.IDRX_URL, '/idrx'),
      returnUrl: () => kernel.publicUrl(),
      clock,
    }),
    {
      // A pay-out stays open: it may be one that was asked for before the setting was lost.
      acts: ['createPayment'],
      local: ['issuesToken', 'isGenuine', 'readPaymentNews', 'readPayoutNews'],
    },
  );
}

/** What is paid out to the exchange's bank account arrives at the sandbox's exchange; a real one is sent nothing. */
const arrivals = ({ EXCHANGE_BANK, EXCHANGE_URL }: Kernel['config']): OfflineSettings['arrive'] => {
  const [bankCode, accountNumber] = EXCHANGE_BANK.split(':');
  return async (books, to, reference, amount) => {
    if (EXCHANGE_URL !== undefined || to.bankCode !== bankCode) return;
    if (to.accountNumber === accountNumber) await arriveAtExchange(books, reference, amount);
  };
};
