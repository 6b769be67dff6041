import type { Provider } from '../provider.ts';
import { partnerProvider } from './adapter.ts';
import type { PartnerProvider } from './port.ts';

export const partner: Provider<'partner', PartnerProvider> = {
  needs: { partner: ['PARTNER_URL', 'PARTNER_API_KEY'] },
  open: ({ kernel: { config, clock }, at }) =>
    partnerProvider({
      url: at(config.PARTNER_URL, '/partner'),
      apiKey: config.PARTNER_API_KEY,
      clock,
    }),
  calls: { acts: ['createCustomer'], local: ['mode', 'isGenuine', 'readWebhook'] },
};
