import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { bankLinksOf } from './closing-store.ts';
import { type BankDeps, connectEffect } from './connect.ts';
import { removalEffect } from './disconnect.ts';
import { BANK_LINK_EVENTS, BANK_PAYMENTS } from './events.ts';
import { BANK_LINK_PERSON_DATA } from './person-data.ts';
import { bankRail } from './rail.ts';
import { BANK_LINK_WORDS } from './reference.ts';
import { bankLinkRoutes } from './routes.ts';
import { pullMachine, type VerifiedNames } from './top-up-machine.ts';
import { moneyRoutes } from './top-up-routes.ts';
import { createTransferEvents } from './transfer-events.ts';

export { SEALED_TOKENS } from './tokens.ts';

/** Bank accounts linked to wallets, and dollars taken from them. */
export function createBankLink(given: BankDeps & VerifiedNames & Pick<Kernel, 'clock'>): Feature {
  const { booking, syncing, inbox, schedules } = createTransferEvents(given);
  const [connecting, removing] = [connectEffect(given), removalEffect(given)];
  const machine = pullMachine({ ...given, booking });
  return {
    name: 'bank-link',
    personData: BANK_LINK_PERSON_DATA,
    closing: [bankLinksOf],
    reference: BANK_LINK_WORDS,
    payments: [
      {
        object: 'payment',
        rail: 'bank',
        source: BANK_PAYMENTS,
        isDecline: (failure) => failure === 'refused',
      },
    ],
    events: BANK_LINK_EVENTS,
    routes: [
      ...bankLinkRoutes({ ...given, connecting, removing }),
      ...moneyRoutes({ ...given, machine, inbox }),
    ],
    jobs: [booking, syncing],
    schedules,
    machines: [machine],
    effects: [connecting, removing],
    inboxes: [inbox],
    rails: [bankRail(given.bankLink)],
  };
}
