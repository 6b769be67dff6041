import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { HoldOwner } from '#kernel/ledger/holds.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import { endHold } from './acts.ts';
import { WALLET_HOLD_CAPTURES, WALLET_HOLD_EVENTS, WALLET_HOLD_PAYMENTS } from './events.ts';
import { WALLET_HOLDS_PERSON_DATA } from './person-data.ts';
import { WALLET_HOLDS_WORDS } from './reference.ts';
import { type WalletHoldDeps, walletHoldRoutes } from './routes.ts';
import { findWalletHolders, lapsedHolds } from './store.ts';

const AT_ONCE = 200;

export const WALLET_HOLDS: HoldOwner = {
  kind: 'wallet-hold',
  freedBy: 'Its payee takes it or gives it up, or its time is over',
  find: findWalletHolders,
};

/** Money that a payer sets aside for somebody, who takes it in parts. */
export const createWalletHolds = (deps: WalletHoldDeps): Feature => ({
  name: 'wallet-holds',
  personData: WALLET_HOLDS_PERSON_DATA,
  reference: WALLET_HOLDS_WORDS,
  routes: walletHoldRoutes(deps),
  events: WALLET_HOLD_EVENTS,
  holds: [WALLET_HOLDS],
  payments: [
    { object: 'wallet_hold', rail: 'wallet', source: WALLET_HOLD_PAYMENTS },
    { object: 'wallet_hold_capture', rail: 'wallet', source: WALLET_HOLD_CAPTURES },
  ],
  schedules: [
    defineSchedule({
      name: 'wallet-holds.expire',
      cron: '* * * * *',
      async run({ signal }) {
        for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; )
          ended = await transact(deps.db, async (tx) => {
            const rows = await lapsedHolds(tx, AT_ONCE);
            const freeing = [];
            for (const row of rows) freeing.push((await endHold(tx, row, 'EXPIRED')).freeing);
            await postAllWithin(tx, freeing);
            return rows.length;
          });
      },
    }),
  ],
});
