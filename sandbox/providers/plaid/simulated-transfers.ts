import { randomUUID } from 'node:crypto';
import type {
  TransferAuthorizationDecision,
  TransferAuthorizationDecisionRationaleCode,
  TransferStatus,
} from 'plaid';
import type { World } from '#sandbox/simulator.ts';
import { SIMULATED_PLAID_PROVIDER } from './simulated-answers.ts';

/** What their sandbox makes happen to a transfer. */
export const PLAID_STEPS = ['posted', 'settled', 'failed', 'funds_available', 'returned'] as const;
type SimulatedEvent = (typeof PLAID_STEPS)[number];

export interface Authorization {
  readonly id: string;
  readonly access_token: string;
  readonly account_id: string;
  readonly amount: string;
  readonly legal_name: string;
  readonly decision: `${TransferAuthorizationDecision}`;
  readonly rationale: `${TransferAuthorizationDecisionRationaleCode}` | null;
  readonly created_at: number;
}
export interface StoredTransfer {
  readonly id: string;
  readonly authorization_id: string;
  readonly account_id: string;
  readonly amount: string;
  readonly description: string;
  readonly legal_name: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly status: `${TransferStatus}`;
  readonly failure_reason: Failure | null;
  readonly created: string;
}
interface Failure {
  readonly failure_code: string;
  readonly ach_return_code: string;
  readonly description: string;
}
export interface StoredEvent {
  readonly event_id: number;
  readonly timestamp: string;
  readonly event_type: string;
  readonly account_id: string;
  readonly transfer_id: string;
  readonly transfer_type: 'debit';
  readonly transfer_amount: string;
  readonly failure_reason: Failure | null;
}

/** How long a key of an authorization is remembered, and an authorization is good for. */
const KEY_LIFE_S = 48 * 3600;
const AUTHORIZATION_LIFE_S = 3600;

type NewAuthorization = Omit<Authorization, 'id' | 'created_at'>;

/** The one of that key, if there was one in the last two days. */
export async function authorizeOnce(
  world: World,
  key: string | undefined,
  wanted: NewAuthorization,
): Promise<Authorization> {
  const now = world.clock.seconds();
  const made: Authorization = { ...wanted, id: randomUUID(), created_at: now };
  return world.records.atomic(async (records) => {
    if (key !== undefined) {
      const taken = await records.insert(SIMULATED_PLAID_PROVIDER, 'authorization-key', key, made);
      const known = taken
        ? made
        : await records.update<Authorization>(
            SIMULATED_PLAID_PROVIDER,
            'authorization-key',
            key,
            (old) => (now - old.created_at < KEY_LIFE_S ? old : made),
          );
      if (known && known.id !== made.id) return known;
    }
    await records.insert(SIMULATED_PLAID_PROVIDER, 'authorization', made.id, made);
    return made;
  });
}

export const findAuthorization = (world: World, id: string) =>
  world.records.get<Authorization>(SIMULATED_PLAID_PROVIDER, 'authorization', id);

export const isFresh = (world: World, { created_at }: Authorization): boolean =>
  world.clock.seconds() - created_at < AUTHORIZATION_LIFE_S;

export const transferOf = (world: World, authorization_id: string) =>
  world.records.find<StoredTransfer>(
    SIMULATED_PLAID_PROVIDER,
    'transfer',
    'authorization_id',
    authorization_id,
  );
export const findSimulatedPlaidTransfer = (world: World, id: string) =>
  world.records.get<StoredTransfer>(SIMULATED_PLAID_PROVIDER, 'transfer', id);

/** By its id, or by the reference that its maker has given it: callers of ours know that one. */
export async function transferNamed(
  world: World,
  name: string,
): Promise<StoredTransfer | undefined> {
  const where = { metadata: { reference: name } };
  const referred = () =>
    world.records.list<StoredTransfer>(SIMULATED_PLAID_PROVIDER, 'transfer', { where, limit: 1 });
  return (await findSimulatedPlaidTransfer(world, name)) ?? (await referred())[0];
}

/** One transfer for an authorization, which names it. */
export async function makeTransfer(
  world: World,
  { id, account_id, legal_name }: Authorization,
  given: Pick<StoredTransfer, 'amount' | 'description' | 'metadata'>,
): Promise<{ transfer: StoredTransfer; isNew: boolean }> {
  const transfer: StoredTransfer = {
    ...given,
    // From the authorization, so that of those who come at once one makes it.
    id: transferId(id),
    authorization_id: id,
    account_id,
    legal_name,
    status: 'pending',
    failure_reason: null,
    created: stamp(world),
  };
  const isNew = await world.records.atomic(async (records) => {
    const made = await records.insert(SIMULATED_PLAID_PROVIDER, 'transfer', transfer.id, transfer);
    if (made) await addEvent({ ...world, records }, transfer, 'pending');
    return made;
  });
  return { transfer: (await findSimulatedPlaidTransfer(world, transfer.id)) ?? transfer, isNew };
}

const transferId = (authorization_id: string): string =>
  [...authorization_id].reverse().join('').replaceAll('-', '').toLowerCase();

/** The return codes of Nacha that debits of consumers come back with most. */
const RETURNS: Readonly<Record<string, string>> = {
  R01: 'Insufficient funds',
  R02: 'Account closed',
  R03: 'No account or unable to locate account',
  R04: 'Invalid account number',
  R05: 'Unauthorized debit to consumer account',
  R07: 'Authorization revoked by customer',
  R08: 'Payment stopped',
  R09: 'Uncollected funds',
  R10: 'Customer advises originator is not known',
  R16: 'Account frozen',
  R20: 'Non-transaction account',
  R29: 'Corporate customer advises not authorized',
};

export const nachaFailure = (code: string): Failure => ({
  failure_code: code,
  ach_return_code: code,
  description: RETURNS[code] ?? 'Returned by the receiving bank',
});

/** What may follow what, as Plaid's sandbox has it. */
const STEPS: Readonly<
  Partial<Record<`${TransferStatus}`, readonly (SimulatedEvent | 'cancelled')[]>>
> = {
  pending: ['posted', 'failed', 'cancelled'],
  posted: ['settled', 'returned'],
  settled: ['funds_available'],
};
/** What banks do as well, up to two months later. */
const LATE_STEPS: typeof STEPS = {
  ...STEPS,
  settled: ['funds_available', 'returned'],
  funds_available: ['returned'],
};

interface Stepping {
  readonly mayReturnLate?: boolean;
  readonly failure?: Failure;
}

/** Nothing where that does not follow the transfer's status. */
export async function stepTransfer(
  world: World,
  id: string,
  event: SimulatedEvent | 'cancelled',
  { mayReturnLate = false, failure = nachaFailure('R01') }: Stepping = {},
): Promise<StoredTransfer | undefined> {
  const steps = mayReturnLate ? LATE_STEPS : STEPS;
  const failure_reason = event === 'failed' || event === 'returned' ? failure : null;
  // What is told by events alone is not without its event.
  return world.records.atomic(async (records) => {
    const moved = await records.update<StoredTransfer>(
      SIMULATED_PLAID_PROVIDER,
      'transfer',
      id,
      (transfer) =>
        steps[transfer.status]?.includes(event)
          ? { ...transfer, status: event, failure_reason }
          : undefined,
    );
    if (moved) await addEvent({ ...world, records }, moved, event);
    return moved;
  });
}

async function addEvent(world: World, transfer: StoredTransfer, event_type: string): Promise<void> {
  const event: StoredEvent = {
    event_id: await nextEventId(world),
    timestamp: stamp(world),
    event_type,
    account_id: transfer.account_id,
    transfer_id: transfer.id,
    transfer_type: 'debit',
    transfer_amount: transfer.amount,
    failure_reason: transfer.failure_reason,
  };
  await world.records.insert(SIMULATED_PLAID_PROVIDER, 'event', String(event.event_id), event);
}

async function nextEventId(world: World): Promise<number> {
  await world.records.insert(SIMULATED_PLAID_PROVIDER, 'counter', 'event', { last: 0 });
  const counted = await world.records.update<{ last: number }>(
    SIMULATED_PLAID_PROVIDER,
    'counter',
    'event',
    ({ last }) => ({ last: last + 1 }),
  );
  return counted?.last ?? 1;
}

const PAGE = 1000;

/** Newest first, for as long as `goesOn`. */
export async function eventsWhile(
  world: World,
  goesOn: (event: StoredEvent) => boolean,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (let before: string | undefined; ; ) {
    const page = await world.records.list<StoredEvent>(SIMULATED_PLAID_PROVIDER, 'event', {
      limit: PAGE,
      ...(before !== undefined && { before }),
    });
    const going = page.filter(goesOn);
    found.push(...going);
    before = String(page.at(-1)?.event_id);
    if (page.length < PAGE || going.length < page.length) return found;
  }
}

/** In whole seconds, as Plaid prints moments. */
const stamp = (world: World): string =>
  world.clock
    .now()
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z');

/** All of a time, the newest first. */
export const listPlaidTransfers = (world: World, limit: number): Promise<StoredTransfer[]> =>
  world.records.list<StoredTransfer>(SIMULATED_PLAID_PROVIDER, 'transfer', { limit });
