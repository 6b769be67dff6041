/** A process of its own for the crash test: has banks asked for the payments of a batch, each of which hangs at the given point. */

import { advanceBatch } from '#features/banking/batches/advance.ts';
import { executing } from '#features/banking/batches/executing.ts';
import { type HangingOrders, hangingPayouts } from './hanging-payouts.ts';

interface BatchOrders extends HangingOrders {
  readonly batch: string;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as BatchOrders;
const hanging = hangingPayouts(orders);
const deps = executing(hanging);
hanging.sagas.register([deps.paying, deps.crediting]);
hanging.jobs.register([deps.advancing]);

await advanceBatch(deps, orders.batch);
await hanging.hangAll(async () => undefined);
