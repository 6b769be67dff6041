import type { Provider } from '../provider.ts';
import { extauthSettings, externalLogin } from './adapter.ts';
import type { ExternalLogin } from './port.ts';

export const extauthProvider: Provider<'extauth', ExternalLogin> = {
  needs: { extauth: ['EXTAUTH_URL', 'EXTAUTH_APP_ID', 'EXTAUTH_APP_SECRET'] },
  open: ({ kernel: { config, clock }, at }) =>
    externalLogin(extauthSettings(config, clock, at(config.EXTAUTH_URL, '/extauth'))),
};
