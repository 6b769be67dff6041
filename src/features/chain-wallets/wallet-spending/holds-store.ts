import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import { type Balances, type EvmChain, minedBefore, readBalances } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';
import { transact } from '#kernel/transact.ts';

/** What a transaction that is not signed yet will take from a managed wallet. */
export type Hold = Row<
  'wallet_holds',
  // The name in the journal; the contract's address, or `native`; its smallest units; wei for the gas.
  'reference' | 'token_contract' | 'units' | 'gas'
>;

export interface Shortage {
  readonly token_contract: string;
  readonly required: bigint;
  /** Less what is set aside for others; never below zero. */
  readonly available: bigint;
}

/**
 * Nothing is held where there is a shortage, where the address is not managed (any more), or where
 * what it would be for was not written.
 */
export type SpendingHolding<T> =
  | { readonly held: T }
  | { readonly short: Shortage }
  | 'unmanaged'
  | 'unwritten';

/** Whose wallet it is taken from. */
export interface HoldPlace {
  readonly db: Db;
  readonly chain: EvmChain;
  readonly address: Address;
}

/** What a wallet had, and since when nothing may have been left out of it. */
export interface Observation {
  /** Time of the database from before it was read. */
  readonly since: string;
  readonly contracts: readonly Address[];
  readonly balances: Balances;
}

export const NATIVE = 'native';
const SECOND_READ_MS = 300;

/**
 * Sets aside what several transactions will take from a managed wallet, all or nothing, and writes
 * what they are for in the same transaction. Until they are let go nothing else of ours spends it, and
 * the wallet cannot be deleted. Held again under the same references, they take the place of the first;
 * so `write` answers nothing where those are somebody else's to hold by now. `seen` spares reading
 * the balance again that was read for these holds just now.
 */
export async function holdSpending<T>(
  place: HoldPlace,
  holds: readonly Hold[],
  write: (tx: Db) => Promise<T | undefined>,
  seen?: Observation,
): Promise<SpendingHolding<T>> {
  const first = await tryToHold(place, holds, write, seen ?? (await observe(place, holds)));
  if (!first.isContended) return first.result;
  // What others have just spent is missing twice until the journal knows that it was mined.
  await sleep(SECOND_READ_MS);
  return (await tryToHold(place, holds, write, await observe(place, holds))).result;
}

/** Reads what the wallet has of the coin and of these tokens. */
export async function observe(
  { db, chain, address }: HoldPlace,
  taken: readonly Pick<Hold, 'token_contract'>[],
): Promise<Observation> {
  const since = await timeOf(db);
  const tokens = [...new Set(taken.map(({ token_contract }) => token_contract))];
  const contracts = tokens.filter((token) => token !== NATIVE) as Address[];
  return { since, contracts, balances: await readBalances(chain, address, contracts) };
}

/** What is required of which token, and what there is; whatever others hold of it counts as there. */
export function plainShortage(
  holds: readonly SpendingTaking[],
  seen: Observation,
): Shortage | undefined {
  return shortageOf(holds, [], seen);
}

/** They were spent, or will not be. */
export async function releaseHold(tx: Db, references: readonly string[]): Promise<void> {
  await run(
    tx,
    `update wallet_holds set released_at = now(), address_id = null
     where reference = any($1::text[]) and released_at is null`,
    [[...references]],
  );
}

/** Forgets those that were let go, once no reader can compare them with an older balance. */
export const forgetReleased = (db: Db): Promise<void> =>
  deleteInBatches(db, 'wallet_holds', "released_at < now() - interval '1 hour'", []);

interface HoldTry<T> {
  readonly result: SpendingHolding<T>;
  /** It falls short, and others hold some of it. */
  readonly isContended?: boolean;
}

async function tryToHold<T>(
  { db, chain, address }: HoldPlace,
  holds: readonly Hold[],
  write: (tx: Db) => Promise<T | undefined>,
  seen: Observation,
): Promise<HoldTry<T>> {
  const owner: Owner = { chain_id: chain.info.key, address };
  return transact(db, async (tx) => {
    const address_id = await lockAddress(tx, owner);
    if (address_id === undefined) return { result: 'unmanaged' };
    const others = await heldByOthers(tx, owner, holds, seen.since);
    const short = shortageOf(holds, others, seen);
    if (short) return { result: { short }, isContended: taken(others, short.token_contract) > 0n };
    const held = await write(tx);
    if (held === undefined) return { result: 'unwritten' };
    await insertHolds(tx, owner, address_id, holds);
    return { result: { held } };
  });
}

export type SpendingTaking = Pick<Hold, 'token_contract' | 'units' | 'gas'>;

/** The first that falls short beside the others, tokens before the coin. */
function shortageOf(
  holds: readonly SpendingTaking[],
  others: readonly SpendingTaking[],
  { contracts, balances }: Observation,
): Shortage | undefined {
  return [...contracts, NATIVE]
    .map((token): Shortage => {
      const required = taken(holds, token);
      const left = balanceOf(balances, contracts, token) - taken(others, token);
      return { token_contract: token, required, available: left > 0n ? left : 0n };
    })
    .find(({ required, available }) => available < required);
}

interface Owner {
  readonly chain_id: string;
  readonly address: Address;
}

/** The time of the database, which stamps what is released and mined. */
export async function timeOf(db: Db): Promise<string> {
  const [row] = await run<{ at: string }>(db, 'select clock_timestamp()::text as at', []);
  if (!row) throw new Error('A database without a time');
  return row.at;
}

/** Those who hold for the same wallet take turns. Nothing when it is not there. */
async function lockAddress(tx: Db, { chain_id, address }: Owner): Promise<number | undefined> {
  const [row] = await run<Row<'wallet_addresses', 'address_id'>>(
    tx,
    `select address_id from wallet_addresses where wallet_address = $1 and chain_id = $2
     for no key update`,
    [address, chain_id],
  );
  return row?.address_id;
}

/**
 * SQL: balances read after then may still contain it, and it will be taken: what is held, and what was
 * until then, but not what the journal saw mined before. Of a hold `h`.
 */
export const takesSince = (since: string): string =>
  `(h.released_at is null or h.released_at >= ${since}) and not ${minedBefore('h.reference', since)}`;

/** What others will take of what balances read after `since` contain. */
function heldByOthers(
  tx: Db,
  { chain_id, address }: Owner,
  own: readonly Hold[],
  since: string,
): Promise<SpendingTaking[]> {
  const references = own.map(({ reference }) => reference);
  return run(tx, HELD_BY_OTHERS, [address, chain_id, references, since]);
}

const HELD_BY_OTHERS = `
  select token_contract, units, gas from wallet_holds h
  where wallet_address = $1 and chain_id = $2 and reference <> all($3::text[])
    and ${takesSince('$4::timestamptz')}`;

/** Units of that token that they take, gas included where it is the coin. */
export const taken = (holds: readonly SpendingTaking[], token: string): bigint =>
  holds.reduce(
    (sum, { token_contract, units, gas }) =>
      sum + (token_contract === token ? units : 0n) + (token === NATIVE ? gas : 0n),
    0n,
  );

/** A token that does not answer has nothing to give. */
const balanceOf = (
  { native, tokens }: Balances,
  contracts: readonly Address[],
  token: string,
): bigint => (token === NATIVE ? native : (tokens[contracts.indexOf(token as Address)] ?? 0n));

async function insertHolds(
  tx: Db,
  { chain_id, address }: Owner,
  address_id: number,
  holds: readonly Hold[],
): Promise<void> {
  await run(
    tx,
    `insert into wallet_holds
       (chain_id, wallet_address, address_id, reference, token_contract, units, gas)
     select $1, $2, $3, * from unnest($4::text[], $5::text[], $6::numeric[], $7::numeric[])
     on conflict (reference) do update
       set chain_id = excluded.chain_id, wallet_address = excluded.wallet_address,
           address_id = excluded.address_id, token_contract = excluded.token_contract,
           units = excluded.units, gas = excluded.gas, held_at = now(), released_at = null`,
    [
      chain_id,
      address,
      address_id,
      holds.map(({ reference }) => reference),
      holds.map(({ token_contract }) => token_contract),
      holds.map(({ units }) => units.toString()),
      holds.map(({ gas }) => gas.toString()),
    ],
  );
}
