/** A process of its own for the crash test: begins one card transaction, and hangs where it is told. */

import { checkOut } from '#features/cards/checkout.ts';
import { pushOut } from '#features/cards/push.ts';
import { refund } from '#features/cards/refund.ts';
import { createCardTransactions } from '#features/cards/transaction.ts';
import type { Fiat } from '#features/fiat-wallets/fiat-wallets.ts';
import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createSagas } from '#kernel/effects/saga.ts';
import type { UserCaller } from '#kernel/http/route.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { cardNetwork, cardSettings } from '#providers/card-network/adapter.ts';
import type { CardNetwork } from '#providers/card-network/port.ts';
import { loadConfig } from '#src/config.ts';

export interface Orders {
  readonly databaseUrl: string;
  readonly masterKey: string;
  readonly networkUrl: string;
  readonly kind: 'top-up' | 'push' | 'refund';
  /** After the intent is stored, after the network has answered, or after all is booked. */
  readonly hangs: 'stored' | 'answered' | 'booked';
  /** How far the service's clock is ahead. */
  readonly aheadMs: number;
  readonly caller: UserCaller;
  readonly operation: string;
  /** A whole request body, as the endpoint takes it. */
  readonly body: {
    readonly amount: string;
    readonly currency_code: Fiat;
    readonly card_number: string;
    readonly expiry_date: string;
    readonly recipient_name: string;
    readonly reference_id: string;
  };
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { caller, operation, body } = orders;
const config = loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false' });
const { db, pool } = openDatabase(orders.databaseUrl);
const clock = createClock(orders.aheadMs);
const log = createLog('silent');
const real = cardNetwork(cardSettings(config, () => orders.networkUrl));
const jobs = createJobs({ pool, clock, log });
const effects = createEffects({ db, clock, log, jobs });
const sagas = createSagas({ db, jobs, effects, clock, log });
const vault = createVault(orders.masterKey);
const network = hanging(real);
const deps = createCardTransactions({ db, config, clock, log, effects, sagas, vault, network });
effects.register([deps.effect]);

if (orders.kind === 'top-up')
  await checkOut(deps, { caller, operation, currency: body.currency_code, body });
else if (orders.kind === 'push') await pushOut(deps, { caller, operation, body });
else await refund(deps, { caller, operation, body });
await hang();

function hanging(network: CardNetwork): CardNetwork {
  const caught = async <T>(call: () => Promise<T>): Promise<T> => {
    if (orders.hangs === 'stored') await hang();
    const outcome = await call();
    if (orders.hangs === 'answered') await hang();
    return outcome;
  };
  return {
    ...network,
    pull: (charge) => caught(() => network.pull(charge)),
    push: (push) => caught(() => network.push(push)),
    reverse: (reversal) => caught(() => network.reverse(reversal)),
  };
}

/** Says so, and stays until it is killed. */
function hang(): Promise<never> {
  setInterval(() => undefined, 1000);
  process.stdout.write('hangs\n');
  return new Promise(() => undefined);
}
