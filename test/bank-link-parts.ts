import { verifiedNameOf } from '#features/accounts/verification/verification.ts';
import { connectBankLink, connectEffect } from '#features/fiat/bank-link/connect.ts';
import { disconnectBankLink, removalEffect } from '#features/fiat/bank-link/disconnect.ts';
import { type TopUpDeps, topUp } from '#features/fiat/bank-link/top-up.ts';
import { pullMachine } from '#features/fiat/bank-link/top-up-machine.ts';
import { createTransferEvents } from '#features/fiat/bank-link/transfer-events.ts';
import { findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createInboxes } from '#kernel/effects/inbox.ts';
import { createSagas } from '#kernel/effects/saga.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { readPriceList } from '#kernel/money/price-list.ts';
import { createQuotas } from '#kernel/quota/quota.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { bankLink } from '#providers/plaid/adapter.ts';
import type { BankLink } from '#providers/plaid/port.ts';
import type { Harness } from './harness.ts';

export interface Place {
  readonly databaseUrl: string;
  readonly masterKey: string;
  readonly plaidUrl: string;
  /** How far the service's clock is ahead. */
  readonly aheadMs: number;
}

export const placeOf = (h: Harness, masterKey: string): Place => ({
  databaseUrl: h.kernel.pool.options.connectionString ?? '',
  masterKey,
  plaidUrl: `${h.app.sandboxUrl()}/plaid`,
  aheadMs: h.clock.offsetMs,
});

export interface Wish {
  readonly caller: UserCaller;
  readonly operation: string;
  readonly wallet_id: number;
  readonly amount: string;
}

/** A user's wallet, whose bank account is linked or unlinked. */
export type Linking = Pick<Wish, 'caller' | 'wallet_id'>;

/** The parts that take money from bank accounts, without a service; `change` replaces the provider. */
export function bankParts(place: Place, change: (real: BankLink) => BankLink) {
  const config = loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false' });
  const { db, pool, close } = openDatabase(place.databaseUrl);
  const clock = createClock(place.aheadMs);
  const log = createLog('silent');
  const jobs = createJobs({ pool, clock, log });
  const effects = createEffects({ db, jobs, clock, log });
  const sagas = createSagas({ db, jobs, effects, clock, log });
  const inboxes = createInboxes({ db, jobs, clock, log });
  const real = bankLink({
    url: () => place.plaidUrl,
    clientId: config.PLAID_CLIENT_ID,
    secret: config.PLAID_SECRET,
    clock,
  });
  const quotas = createQuotas({ clock, log, config });
  const kernel = {
    db,
    config,
    quotas,
    prices: readPriceList(config),
    jobs,
    effects,
    sagas,
    inboxes,
    vault: createVault(place.masterKey),
  };
  const publicUrl = () => 'http://127.0.0.1:9';
  const deps = { ...kernel, bankLink: change(real), publicUrl, verifiedNameOf };
  const { booking, syncing } = createTransferEvents(deps);
  jobs.register([booking, syncing]);
  const machine = pullMachine({ ...deps, booking });
  sagas.register([machine]);
  const connecting = connectEffect(deps);
  const removing = removalEffect(deps);
  effects.register([connecting, removing]);
  const all: TopUpDeps = { ...deps, machine };
  const mustFind = async (wallet_id: number) => {
    const wallet = await findFiatWallet(db, {}, wallet_id);
    if (!wallet) throw new Error(`There is no wallet ${wallet_id}`);
    return wallet;
  };
  const request = { id: 'test', ip: '127.0.0.1', userAgent: '', headers: {}, raw: Buffer.alloc(0) };
  return {
    provider: deps.bankLink,
    topUp: (wish: Wish) => topUp(all, { ...wish, request }),
    async connect({ caller, wallet_id }: Linking, publicToken: string) {
      const wallet = await mustFind(wallet_id);
      const facts = { account_id: null, institution_id: null, institution_name: null };
      return connectBankLink({ ...deps, connecting }, wallet, {
        publicToken,
        facts,
        caller,
        request,
      });
    },
    async disconnect({ caller, wallet_id }: Linking) {
      const wallet = await mustFind(wallet_id);
      return disconnectBankLink({ ...deps, removing }, { wallet, caller, request });
    },
    close,
  };
}
