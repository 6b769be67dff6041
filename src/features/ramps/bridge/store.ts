import type { Address } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { type LookedRows, lookedPage } from '#kernel/db/looked-page.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import {
  NAMELESS,
  type NamesReader,
  namesOf,
  type ObjectNames,
} from '#kernel/object-names/object-names.ts';
import { referenceRule } from '#kernel/object-names/reference-rule.ts';
import type { BridgeChain } from './places.ts';

export const BRIDGE_STATUSES = [
  ...(['AWAITING_FUNDS', 'BURNING', 'BURNED', 'ATTESTED', 'MINTING', 'SENDING'] as const),
  ...(['COMPLETED', 'STALLED', 'ADVANCED', 'FAILED', 'CANCELLED'] as const),
] as const;
export type BridgeStatus = (typeof BRIDGE_STATUSES)[number];

export const STEP_NAMES = ['burn', 'attest', 'mint', 'send', 'advance'] as const;
export const STEP_STATES = ['PENDING', 'DONE', 'FAILED'] as const;

export type BridgeStep = Omit<Row<'bridge_steps'>, 'name' | 'chain' | 'state'> & {
  readonly name: (typeof STEP_NAMES)[number];
  readonly chain: BridgeChain;
  readonly state: (typeof STEP_STATES)[number];
};

export type BridgeRow = Omit<
  Row<'bridge_transfers'>,
  'status' | 'from_chain' | 'to_chain' | 'source_address' | 'limit_day'
> & {
  readonly status: BridgeStatus;
  readonly from_chain: ChainKey;
  readonly to_chain: BridgeChain;
  readonly source_address: Address;
};

/** A transfer with its steps and what its caller calls it. */
export type WholeBridgeTransfer = BridgeRow & {
  readonly steps: readonly BridgeStep[];
  readonly names: ObjectNames;
};

export type NewBridgeTransfer = Pick<
  BridgeRow,
  | ('bridge_transfer_id' | 'object_id' | 'operation' | 'client_id' | 'user_id' | 'quote_id')
  | ('route_id' | 'mode' | 'from_chain' | 'to_chain' | 'source_address' | 'recipient_address')
  | ('recipient_tag' | 'amount' | 'platform_fee' | 'network_fee' | 'leg_id')
> & {
  /** `YYYY-MM-DD`. */
  readonly limit_day: string;
};

const NEW = [
  ...['bridge_transfer_id', 'object_id', 'operation', 'client_id', 'user_id', 'quote_id'],
  ...['route_id', 'mode', 'from_chain', 'to_chain', 'source_address', 'recipient_address'],
  ...['recipient_tag', 'amount', 'platform_fee', 'network_fee', 'leg_id', 'limit_day'],
].join();

export async function insertBridgeTransfer(tx: Db, given: NewBridgeTransfer): Promise<BridgeRow> {
  const json = JSON.stringify(given, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  const [row] = await run<BridgeRow>(
    tx,
    `insert into bridge_transfers (${NEW}, status, status_times)
     select ${NEW}, 'BURNING', ${firstStatusTimes('BURNING')}
     from json_populate_record(null::bridge_transfers, $1::json) returning *`,
    [json],
  );
  if (!row) throw new Error(`${given.object_id} was not written`);
  return row;
}

const moves = stateMovesOf<BridgeRow>('bridge_transfers');
export const moveBridge = moves.tryMove;
export const editBridge = moves.tryEdit;

/** The row alone. */
export async function findBridge(
  db: Db,
  by: Partial<Pick<BridgeRow, 'object_id' | 'leg_id' | 'operation'>>,
): Promise<BridgeRow | undefined> {
  const [entry] = Object.entries(by);
  const [column, value] = entry ?? ['object_id', null];
  const text = `select * from bridge_transfers where ${column} = $1`;
  return (await run<BridgeRow>(db, text, [value]))[0];
}

/** The same, which no process changes before the transaction ends. */
export async function lockBridge(
  tx: Db,
  { leg_id }: { readonly leg_id: string },
): Promise<BridgeRow> {
  const text = 'select * from bridge_transfers where leg_id = $1 for no key update';
  const [row] = await run<BridgeRow>(tx, text, [leg_id]);
  if (!row) throw new Error(`The leg ${leg_id} carries nothing`);
  return row;
}

/** With their steps and names: two statements for all. */
export async function withSteps(
  db: Db,
  rows: readonly BridgeRow[],
  reader: NamesReader,
): Promise<WholeBridgeTransfer[]> {
  if (rows.length === 0) return [];
  const steps = await run<BridgeStep>(
    db,
    'select * from bridge_steps where bridge_transfer_id = any($1::uuid[]) limit $2',
    [rows.map(({ bridge_transfer_id }) => bridge_transfer_id), rows.length * STEP_NAMES.length],
  );
  const inOrder = steps.toSorted((a, b) => placeOf(a) - placeOf(b));
  const names = await namesOf(
    db,
    'bridge_transfer',
    rows.map(({ object_id }) => object_id),
    reader,
  );
  return rows.map((row) => ({
    ...row,
    steps: inOrder.filter(({ bridge_transfer_id: of }) => of === row.bridge_transfer_id),
    names: names.get(row.object_id) ?? NAMELESS,
  }));
}

const placeOf = ({ name }: BridgeStep): number => STEP_NAMES.indexOf(name);

type StepWritten = Pick<BridgeStep, 'bridge_transfer_id' | 'name' | 'chain' | 'state'> &
  Partial<Pick<BridgeStep, 'hash' | 'block' | 'confirmations'>>;

/** As it is on its chain now. */
export async function writeStep(
  tx: Db,
  { bridge_transfer_id, name, chain, state, hash, block, confirmations }: StepWritten,
): Promise<void> {
  await run(
    tx,
    `insert into bridge_steps (bridge_transfer_id, name, chain, state, hash, block, confirmations)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (bridge_transfer_id, name) do update set state = excluded.state, hash = excluded.hash,
       block = excluded.block, confirmations = excluded.confirmations, at = service_now()`,
    [bridge_transfer_id, name, chain, state, hash ?? null, block ?? null, confirmations ?? 0],
  );
}

/** Within the caller's reach. */
export async function bridgeInScope(
  db: Db,
  { client_id, user_id }: TenantScope,
  bridge_transfer_id: string,
): Promise<BridgeRow | undefined> {
  const text = `select * from bridge_transfers where bridge_transfer_id = $1
    and ($2::integer is null or client_id = $2) and ($3::integer is null or user_id = $3)`;
  const values = [bridge_transfer_id, client_id ?? null, user_id ?? null];
  return (await run<BridgeRow>(db, text, values))[0];
}

interface BridgeFilters {
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

/** Within the caller's reach, newest first. */
export function listBridgeTransfers(
  db: Db,
  { user_id, client_id }: TenantScope,
  { status, reference, created_from, created_to }: BridgeFilters,
  place: { readonly limit: number; readonly before: number | undefined },
): Promise<LookedRows<BridgeRow>> {
  const owner = user_id === undefined ? 't.client_id = $2' : 't.user_id = $2';
  const id = user_id ?? client_id;
  const from = 'select t.* from bridge_transfers t where';
  return lookedPage<BridgeRow>(db, {
    ...place,
    sides: [`${from} ${id === undefined ? 'true' : owner} and t.serial < $1`],
    values: id === undefined ? [] : [id],
    filters: [
      [status, (given) => `t.status = ${given}`],
      [reference, referenceRule('bridge_transfer')],
      [created_from, (given) => `t.created_at >= ${given}::timestamptz`],
      [created_to, (given) => `t.created_at < ${given}::timestamptz + interval '1 millisecond'`],
    ],
  });
}

/** Those that are in that status, and were begun longer ago than that; oldest first. What another process has is left to it. */
export function overdueTransfers(
  tx: Db,
  status: BridgeStatus,
  { afterMs, limit }: { readonly afterMs: number; readonly limit: number },
): Promise<BridgeRow[]> {
  return run<BridgeRow>(
    tx,
    `select * from bridge_transfers
     where status = $1 and created_at <= service_now() - $2::integer * interval '1 second'
     order by created_at limit $3 for no key update skip locked`,
    [status, Math.round(afterMs / 1000), limit],
  );
}

interface ReplacedHash {
  readonly was: string;
  readonly now: string | undefined;
  readonly chain: string;
}

/** A transaction that its chain has taken back, and the one that does the same. */
export async function replaceStepHash(tx: Db, { was, now, chain }: ReplacedHash): Promise<void> {
  await run(
    tx,
    `update bridge_steps set hash = coalesce($2, hash), confirmations = case when $2::text is null then 0 else confirmations end
     where hash = $1 and chain = $3`,
    [was, now ?? null, chain],
  );
}
