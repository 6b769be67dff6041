import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { type LookedRows, lookedPage } from '#kernel/db/looked-page.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import { referenceRule } from '#kernel/object-names/reference-rule.ts';
import type { DisputeEvent, DisputeReason, IssuingCurrency } from '#providers/issuing/port.ts';

export const DISPUTE_STATUSES = [
  ...(['DRAFT', 'SUBMITTED', 'PENDING_RESPONSE', 'PREARBITRATION', 'WON', 'LOST'] as const),
  ...(['WITHDRAWN', 'REJECTED'] as const),
] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];
/** Those that the network has, or is sent. */
export const UNDER_WAY: readonly DisputeStatus[] = [
  'SUBMITTED',
  'PENDING_RESPONSE',
  'PREARBITRATION',
];

export type CardDispute = Omit<Row<'card_disputes'>, 'status' | 'currency' | 'reason'> & {
  readonly status: DisputeStatus;
  readonly currency: IssuingCurrency;
  readonly reason: DisputeReason;
};
export type NewCardDispute = Pick<
  CardDispute,
  | ('dispute_id' | 'object_id' | 'operation' | 'payment_id' | 'card_id' | 'client_id' | 'user_id')
  | (
      | 'account_id'
      | 'currency'
      | 'transaction_token'
      | 'reason'
      | 'amount'
      | 'is_whole'
      | 'explanation'
    )
>;
const NEW = [
  ...['dispute_id', 'object_id', 'operation', 'payment_id', 'card_id', 'client_id', 'user_id'],
  ...['account_id', 'currency', 'transaction_token', 'reason', 'amount', 'is_whole', 'explanation'],
].join();

/** A draft. Undefined where the same request has made it before, or the payment is disputed already. */
export async function insertCardDispute(
  tx: Db,
  dispute: NewCardDispute,
): Promise<CardDispute | undefined> {
  const [row] = await run<CardDispute>(
    tx,
    `insert into card_disputes (${NEW}, status, status_times)
     select ${NEW}, 'DRAFT', ${firstStatusTimes('DRAFT')} from json_populate_record(null::card_disputes, $1::json)
     on conflict do nothing returning *`,
    [JSON.stringify({ ...dispute, amount: dispute.amount.toString() })],
  );
  return row;
}

const one = async (db: Db, where: string, values: readonly unknown[]) =>
  (await run<CardDispute>(db, `select d.* from card_disputes d where ${where}`, values))[0];

export const disputeOfOperation = (db: Db, operation: string): Promise<CardDispute | undefined> =>
  one(db, 'd.operation = $1', [operation]);

export const openDisputeOf = (db: Db, payment_id: string): Promise<CardDispute | undefined> =>
  one(
    db,
    `d.payment_id = $1 and d.status in ('DRAFT', 'SUBMITTED', 'PENDING_RESPONSE', 'PREARBITRATION')`,
    [payment_id],
  );

const REACH = `d.dispute_id = $1 and ($2::integer is null or d.user_id = $2)
  and ($3::integer is null or d.client_id = $3)`;
const reached = (dispute_id: string, { user_id, client_id }: TenantScope) => [
  ...[dispute_id, user_id ?? null, client_id ?? null],
];

/** Within reach. */
export const findCardDispute = (
  db: Db,
  reach: TenantScope,
  dispute_id: string,
): Promise<CardDispute | undefined> => one(db, REACH, reached(dispute_id, reach));

/** Locks it until the transaction ends: acts on it wait for one another. */
export const lockCardDispute = (
  tx: Db,
  reach: TenantScope,
  dispute_id: string,
): Promise<CardDispute | undefined> =>
  one(tx, `${REACH} for no key update`, reached(dispute_id, reach));

const moves = stateMovesOf<CardDispute>('card_disputes');
type Changes = Partial<
  Pick<
    CardDispute,
    | ('amount' | 'reason' | 'explanation' | 'response' | 'failure' | 'accepted_at' | 'respond_by')
    | ('credited_at' | 'taken_back_at' | 'taken_back' | 'won_at' | 'transaction_token' | 'is_whole')
  >
>;

/** Moves one that is locked, or changes it where the status stays. */
export async function changeCardDispute(
  tx: Db,
  { dispute_id, status: from }: CardDispute,
  status: DisputeStatus,
  changes: Changes = {},
): Promise<CardDispute> {
  const filter = { dispute_id, status: from };
  const row =
    from === status
      ? await moves.tryEdit(tx, filter, changes)
      : await moves.tryMove(tx, filter, status, changes);
  if (!row) throw new Error(`Dispute ${dispute_id} is not ${from}`);
  return row;
}

export interface DisputeFilters {
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly transaction_id?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

const SIDES = {
  user: 't.user_id = $2',
  client: 't.client_id = $2',
  all: '$2::integer is null',
} as const;

/** Within reach, newest first. */
export function listCardDisputes(
  db: Db,
  { user_id, client_id }: TenantScope,
  { status, reference, transaction_id, created_from, created_to }: DisputeFilters,
  place: { readonly limit: number; readonly before: number | undefined },
): Promise<LookedRows<CardDispute>> {
  const side = user_id !== undefined ? 'user' : client_id !== undefined ? 'client' : 'all';
  return lookedPage<CardDispute>(db, {
    ...place,
    sides: [`select t.* from card_disputes t where ${SIDES[side]} and t.serial < $1`],
    values: [user_id ?? client_id ?? null],
    filters: [
      [status, (given) => `t.status = ${given}`],
      [reference, referenceRule('card_dispute')],
      [transaction_id, (given) => `t.payment_id = ${given}`],
      [created_from, (given) => `t.created_at >= ${given}::timestamptz`],
      [created_to, (given) => `t.created_at < ${given}::timestamptz + interval '1 millisecond'`],
    ],
  });
}

export type DisputeFile = Row<'card_dispute_files'> & { readonly stage: 'CLAIM' | 'RESPONSE' };

/** Names files that are held, in their order, in the place of those that were named before. */
export async function nameFiles(
  tx: Db,
  dispute_id: string,
  stage: DisputeFile['stage'],
  file_ids: readonly string[],
): Promise<void> {
  await run(tx, 'delete from card_dispute_files where dispute_id = $1 and stage = $2', [
    dispute_id,
    stage,
  ]);
  await run(
    tx,
    `insert into card_dispute_files (dispute_id, file_id, stage, place)
     select $1, f.id, $2, f.place from unnest($3::uuid[]) with ordinality f (id, place) on conflict do nothing`,
    [dispute_id, stage, file_ids],
  );
}

const LISTED_MAX = 101;
const FILES_MAX = 20;
const EVENTS_MAX = 100;
const CREDITED_MAX = 100;

/** Of each dispute, in their order. */
export async function filesOfDisputes(
  db: Db,
  disputes: readonly string[],
): Promise<ReadonlyMap<string, readonly DisputeFile[]>> {
  const text = `select f.* from unnest($1::uuid[]) d (id) cross join lateral (
    select * from card_dispute_files where dispute_id = d.id order by stage, place limit ${FILES_MAX}) f
    limit ${FILES_MAX * LISTED_MAX}`;
  return Map.groupBy(await run<DisputeFile>(db, text, [disputes]), ({ dispute_id }) => dispute_id);
}

/** Of these files those that disputes name. */
export async function filesNamedByDisputes(db: Db, file_ids: readonly string[]): Promise<string[]> {
  const text = 'select distinct file_id from card_dispute_files where file_id = any($1::uuid[])';
  const rows = await run<Pick<DisputeFile, 'file_id'>>(db, text, [file_ids]);
  return rows.map(({ file_id }) => file_id);
}

export type DisputeCredit = Pick<CardDispute, 'dispute_id' | 'amount' | 'status' | 'taken_back'>;

/** The credits of all disputes of each payment, the elder first. */
export async function creditsOf(
  db: Db,
  payments: readonly string[],
): Promise<ReadonlyMap<string, readonly DisputeCredit[]>> {
  const rows = await run<DisputeCredit & Pick<CardDispute, 'payment_id'>>(
    db,
    `select d.payment_id, d.dispute_id, d.amount, d.status, d.taken_back
     from unnest($1::uuid[]) a (id) cross join lateral (
       select * from card_disputes where payment_id = a.id order by serial limit ${CREDITED_MAX}) d
     where d.credited_at is not null limit ${CREDITED_MAX * LISTED_MAX}`,
    [payments],
  );
  return Map.groupBy(rows, ({ payment_id }) => payment_id);
}

export type NetworkEvent = Row<'card_dispute_events'>;

/** Those that are new. */
export async function addNetworkEvents(
  tx: Db,
  { dispute_id, amount }: CardDispute,
  events: readonly DisputeEvent[],
): Promise<NetworkEvent[]> {
  if (events.length === 0) return [];
  const rows = events.map(({ token, at, type, text }) => ({
    token,
    at: at.toISOString(),
    type,
    text: text ?? null,
  }));
  return run<NetworkEvent>(
    tx,
    `insert into card_dispute_events (dispute_id, token, at, type, amount, text)
     select $1, e.token, e.at, e.type, $2::numeric, e.text
       from json_to_recordset($3::json) e (token text, at timestamptz, type text, text text)
     on conflict do nothing returning *`,
    [dispute_id, amount.toString(), JSON.stringify(rows)],
  );
}

/** Of each dispute, oldest first. */
export async function networkEventsOf(
  db: Db,
  disputes: readonly string[],
): Promise<ReadonlyMap<string, readonly NetworkEvent[]>> {
  const text = `select e.* from unnest($1::uuid[]) d (id) cross join lateral (
    select * from card_dispute_events where dispute_id = d.id order by at, token limit ${EVENTS_MAX}) e
    limit ${EVENTS_MAX * LISTED_MAX}`;
  return Map.groupBy(await run<NetworkEvent>(db, text, [disputes]), ({ dispute_id }) => dispute_id);
}

/** Those whose time to respond is over, up to the limit. */
export const unansweredDisputes = (db: Db, limit: number): Promise<CardDispute[]> =>
  run(
    db,
    `select * from card_disputes where status = 'PENDING_RESPONSE' and respond_by <= service_now()
     order by respond_by limit $1`,
    [limit],
  );

/** Those that the processor was not asked about for six hours, up to the limit. */
export const disputesToFollow = (db: Db, limit: number): Promise<CardDispute[]> =>
  run(
    db,
    `select * from card_disputes where status in ('SUBMITTED', 'PENDING_RESPONSE', 'PREARBITRATION')
       and followed_at < service_now() - interval '6 hours' order by followed_at limit $1`,
    [limit],
  );

/** The processor is asked about it now. */
export async function noteFollowed(db: Db, dispute_id: string): Promise<void> {
  await run(db, 'update card_disputes set followed_at = service_now() where dispute_id = $1', [
    dispute_id,
  ]);
}
