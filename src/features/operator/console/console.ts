import type { Feature } from '#kernel/feature.ts';
import { CONSOLE_WORDS } from './reference.ts';
import { type ConsoleDeps, consoleRoutes } from './routes.ts';

/** How the operator's people come into the console. What it shows are endpoints like any others. */
export const createConsole = (deps: ConsoleDeps): Feature => ({
  name: 'console',
  reference: CONSOLE_WORDS,
  ...(deps.config.CONSOLE === 'on' && { routes: consoleRoutes(deps) }),
});
