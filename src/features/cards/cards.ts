import type { Attempts } from '#kernel/access/attempts.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { CardNetwork } from '#providers/card-network/port.ts';
import { cardBooks } from './books.ts';
import { createDeclines } from './declines.ts';
import { cardSchedules } from './recovery.ts';
import { cardRoutes } from './routes.ts';

type CardsDeps = Pick<Kernel, 'db' | 'clock' | 'config' | 'log' | 'vault'> & {
  readonly attempts: Attempts;
  readonly network: CardNetwork;
};

/** Top-ups from cards and payouts to them, and what ends the transactions they leave open. */
export function createCards(given: CardsDeps): Feature {
  const deps = { ...given, books: cardBooks(given.db, given.vault) };
  return {
    name: 'cards',
    routes: cardRoutes({ ...deps, declines: createDeclines(deps) }),
    schedules: cardSchedules(deps),
  };
}
