import type { Feature } from '#kernel/feature.ts';
import { CONSOLE_WORDS } from './reference.ts';
import { type ConsoleDeps, consoleRoutes } from './routes.ts';

/** The console's log-in. The console shows what any other caller gets from the endpoints. */
export const createConsole = (deps: ConsoleDeps): Feature => ({
  name: 'console',
  reference: CONSOLE_WORDS,
  ...(deps.config.CONSOLE === 'on' && { routes: consoleRoutes(deps) }),
});
