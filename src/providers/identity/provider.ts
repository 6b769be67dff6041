import type { Provider } from '../provider.ts';
import { identityProvider } from './adapter.ts';
import type { IdentityProvider } from './port.ts';

export const identity: Provider<'identity', IdentityProvider> = {
  needs: {
    identity: ['IDENTITY_URL', 'IDENTITY_APP_TOKEN', 'IDENTITY_SECRET', 'IDENTITY_WEBHOOK_SECRET'],
  },
  open: ({ kernel: { config, clock }, at }) =>
    identityProvider({
      url: at(config.IDENTITY_URL, '/identity'),
      appToken: config.IDENTITY_APP_TOKEN,
      secret: config.IDENTITY_SECRET,
      webhookSecret: config.IDENTITY_WEBHOOK_SECRET,
      clock,
    }),
  calls: { local: ['readWebhook'] },
};
