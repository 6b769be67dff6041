import type { Provider } from '../provider.ts';
import { bankLink } from './adapter.ts';
import type { BankLink } from './port.ts';

export const plaidProvider: Provider<'plaid', BankLink> = {
  needs: { plaid: ['PLAID_URL', 'PLAID_CLIENT_ID', 'PLAID_SECRET'] },
  open: ({ kernel: { config, clock }, at }) =>
    bankLink({
      url: at(config.PLAID_URL, '/plaid'),
      clientId: config.PLAID_CLIENT_ID,
      secret: config.PLAID_SECRET,
      clock,
    }),
  calls: {
    acts: ['exchange', 'authorize', 'createTransfer'],
    local: ['isGenuine', 'readWebhook', 'mode'],
  },
};
