/** Emits many events and moves them to the log, in a process of its own, for tests that kill it. */

import { openDatabase } from '#kernel/db/db.ts';
import { holdLiveness } from '#kernel/db/liveness.ts';
import { emit } from '#kernel/events/emit.ts';
import { createEventLog } from '#kernel/events/events.ts';
import { createLog } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { happened } from './events.ts';

interface Orders {
  readonly url: string;
  readonly client_id: number;
  readonly count: number;
}

const { url, client_id, count } = JSON.parse(process.argv[2] ?? '') as Orders;
const { db } = openDatabase(url);
const log = createLog('silent');
const events = createEventLog({ db, log, presence: await holdLiveness(url, log) });
events.start();
process.stdout.write('tells\n');
for (let nth = 1; nth <= count; nth += 1)
  await transact(db, async (tx) =>
    emit(tx, happened, { client_id, id: `${client_id}-${nth}`, data: { writer: client_id, nth } }),
  ).catch(() => undefined);
