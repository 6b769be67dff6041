import { Type } from 'typebox';
import { optional, port, setting } from '../setting-kinds.ts';

/** Mock mode and sandbox. */
export const SANDBOX_SETTINGS = {
  MOCK_MODE: setting(optional(Type.Boolean()), 'fiat legs settle at once; see Modes', {
    usually: '`true` outside production',
  }),
  SANDBOX_HOST: setting(
    Type.String({ default: '127.0.0.1' }),
    'address of the sandbox; another one only in a container that is not reachable for others',
  ),
  SANDBOX_PORT: setting(port(3001), 'port of the sandbox'),
  SANDBOX_SMTP_PORT: setting(port(3025), "port of the sandbox's mail server"),
};
