import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import {
  NAMELESS,
  type NamesReader,
  namesGiven,
  namesOf,
  type ObjectNames,
} from '#kernel/object-names/object-names.ts';
import { type ItemSums, itemSums } from './items-store.ts';
import { ShownBatch, shownBatch } from './shapes.ts';
import type { PaymentBatch } from './store.ts';

const OBJECT = 'batch';
const AT = '2026-11-28T03:00:58.447Z';

interface NamedBatch {
  readonly row: PaymentBatch;
  readonly names: ObjectNames;
  readonly sums: readonly ItemSums[];
}

const batches = defineObject<NamedBatch, typeof ShownBatch>({
  schema: ShownBatch,
  since: '2026-11',
  example: {
    batch_id: 'bat_06f4t3xet5c77bsdh7wedf8g8s',
    name: 'Salaries of November',
    wallet_id: 3,
    user_id: 3,
    currency: 'IDR',
    received: { amount: '300000.00', currency: 'IDR' },
    quote_id: null,
    funding: 'at_approval',
    execute_at: null,
    executes_at: AT,
    count: 2,
    total: '300000.00',
    fees: '5000.00',
    completed_count: 1,
    failed_count: 0,
    cancelled_count: 0,
    returned_count: 0,
    completed_total: '150000.00',
    errors: [],
    content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    submitted_by: 3,
    reference: 'salaries-11',
    metadata: {},
    status: 'PROCESSING',
    substatus: 'waiting_for_provider',
    status_times: { draft_at: AT, pending_approval_at: AT, scheduled_at: AT, processing_at: AT },
    failure: null,
    in_doubt_since: null,
    next_attempt_at: null,
    version: 4,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ row: { client_id, user_id, our_reference: id } }) => ({ client_id, user_id, id }),
  show: ({ row, ...facts }) => shownBatch(row, new Date(row.updated_at), facts),
}).events(OBJECT, {
  created: 'A batch was drafted; nothing is held for it',
  submitted: 'A batch was submitted as it stands',
  approved:
    'Enough people have approved a batch; its money is held, unless each payment is held by itself',
  rejected: 'A batch was not approved; nothing is paid',
  processing: 'The payments of a batch go out',
  completed: 'Every payment of a batch has arrived',
  partially_completed:
    'A batch is over, and some of its payments did not arrive; their money is free again',
  failed: 'A batch is over, and no payment arrived; all its money is free again',
  cancelled: 'A batch was called off, or not approved in time, before anything was paid',
});

export const BATCH_EVENTS = batches.types;

type Verb = Parameters<typeof batches.emit>[1];

/** In the transaction that drafts it, with the names of its request. */
export const emitNewBatch = (tx: Db, row: PaymentBatch): void =>
  batches.emit(tx, 'created', { row, names: namesGiven(OBJECT), sums: [] });

/** In the transaction of a later change. */
export async function emitBatch(tx: Db, verb: Verb, row: PaymentBatch): Promise<void> {
  const names = await batchNames(tx, [row], row.client_id);
  const sums = await itemSums(tx, [row.batch_id]);
  batches.emit(tx, verb, { row, names: names.get(row.our_reference) ?? NAMELESS, sums });
}

/** What callers call these, by their ids. */
export const batchNames = (
  db: Db,
  rows: readonly PaymentBatch[],
  reader: NamesReader,
): Promise<ReadonlyMap<string, ObjectNames>> =>
  namesOf(
    db,
    OBJECT,
    rows.map(({ our_reference }) => our_reference),
    reader,
  );
