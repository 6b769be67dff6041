import type { Db } from '#kernel/db/db.ts';
import { run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { SignedCardanoTransaction, Utxo } from './build.ts';
import type { Order } from './port.ts';

export type CardanoJournalEntry = Row<'cardano_transactions'>;

/** Nothing where there is none, or only such as never happen. */
export async function findLive(
  db: Db,
  network: string,
  reference: string,
): Promise<CardanoJournalEntry | undefined> {
  const [row] = await run<CardanoJournalEntry>(
    db,
    `select * from cardano_transactions
     where network = $1 and reference = $2 and state <> 'LAPSED'`,
    [network, reference],
  );
  return row;
}

/** A transaction that chooses outputs or changes their owner holds it to its end. */
export const lockTreasury = (tx: Db, network: string): Promise<unknown> =>
  run(tx, "select pg_advisory_xact_lock(hashtextextended('cardano treasury ' || $1, 0))", [
    network,
  ]);

const UNSPENT_MAX = 1000;

/** What a transaction may spend now: change of others that are still on their way is among it. */
export async function unspent(db: Db, network: string): Promise<Utxo[]> {
  const rows = await run<Row<'cardano_outputs'>>(
    db,
    `select * from cardano_outputs where network = $1 and spent_by is null
     order by lovelace desc limit ${UNSPENT_MAX}`,
    [network],
  );
  return rows.map(({ tx_hash, index, lovelace, usdc }) => ({
    txHash: tx_hash,
    index,
    lovelace,
    usdc,
  }));
}

interface Entry {
  readonly network: string;
  readonly order: Order;
  readonly signed: SignedCardanoTransaction;
  readonly ttl: number;
}

/** Writes it down, with what it spends and what comes back, under the treasury's lock. */
export async function insertSigned(
  tx: Db,
  { network, order, signed, ttl }: Entry,
): Promise<CardanoJournalEntry> {
  const [row] = await run<CardanoJournalEntry>(
    tx,
    `insert into cardano_transactions
       (hash, network, reference, kind, units, recipient, raw, fee, sent, ttl)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning *`,
    [
      signed.hash,
      network,
      order.reference,
      order.kind,
      order.units,
      order.to ?? null,
      signed.raw,
      signed.fee,
      signed.sent,
      ttl,
    ],
  );
  const spent = await run(
    tx,
    `update cardano_outputs o set spent_by = $2
     from unnest($3::text[], $4::integer[]) s (tx_hash, index)
     where o.network = $1 and o.tx_hash = s.tx_hash and o.index = s.index and o.spent_by is null
     returning 1`,
    [network, signed.hash, signed.spent.map((u) => u.txHash), signed.spent.map((u) => u.index)],
  );
  if (!row || spent.length !== signed.spent.length)
    throw new Error(`${signed.hash} spends what is not there to spend`);
  await insertOutputs(tx, network, signed.change);
  return row;
}

/** Those that are not known yet; what is known stays as it is. */
export const insertOutputs = (tx: Db, network: string, all: readonly Utxo[]): Promise<unknown> =>
  run(
    tx,
    `insert into cardano_outputs (network, tx_hash, index, lovelace, usdc)
     select $1, * from unnest($2::text[], $3::integer[], $4::numeric[], $5::numeric[])
     on conflict do nothing`,
    [
      network,
      all.map((u) => u.txHash),
      all.map((u) => u.index),
      all.map((u) => String(u.lovelace)),
      all.map((u) => String(u.usdc)),
    ],
  );

/** Forgets what the chain does not have, but for what transactions of ours have yet to make, or make again. */
export const dropOutputs = (tx: Db, network: string, there: readonly Utxo[]): Promise<unknown> =>
  run(
    tx,
    `delete from cardano_outputs o where o.network = $1 and o.spent_by is null
       and not exists (select from unnest($2::text[], $3::integer[]) s (tx_hash, index)
         where s.tx_hash = o.tx_hash and s.index = o.index)
       and not exists (select from cardano_transactions t
         where t.hash = o.tx_hash
           and (t.state = 'SIGNED' or t.state = 'CONFIRMED' and not t.is_final))`,
    [network, there.map((u) => u.txHash), there.map((u) => u.index)],
  );

export async function markConfirmed(db: Db, hash: string): Promise<void> {
  await run(
    db,
    `update cardano_transactions set state = 'CONFIRMED', confirmed_at = service_now()
     where hash = $1 and state = 'SIGNED'`,
    [hash],
  );
}

/**
 * It never happens, and neither does what spends anything of it. Gives back what they were to spend.
 * Under the treasury's lock.
 */
export async function markLapsed(tx: Db, hash: string): Promise<void> {
  const lapsed = await run<{ hash: string }>(
    tx,
    `with recursive doomed as (
       select hash, network from cardano_transactions where hash = $1 and state = 'SIGNED'
       union
       select t.hash, t.network from doomed d
       join cardano_outputs o on o.network = d.network and o.tx_hash = d.hash
       join cardano_transactions t on t.hash = o.spent_by and t.state <> 'LAPSED'
     )
     update cardano_transactions t set state = 'LAPSED', confirmed_at = null from doomed d where t.hash = d.hash
     returning t.hash`,
    [hash],
  );
  const hashes = lapsed.map((row) => row.hash);
  await run(tx, 'delete from cardano_outputs where tx_hash = any($1)', [hashes]);
  await run(tx, 'update cardano_outputs set spent_by = null where spent_by = any($1)', [hashes]);
}

const EARLIER_MAX = 50;

/** What was signed before it and is in no block yet, in that order: the network wants them first. */
export const earlierUnderWay = (
  db: Db,
  { network, seq }: CardanoJournalEntry,
): Promise<CardanoJournalEntry[]> =>
  run<CardanoJournalEntry>(
    db,
    `select * from cardano_transactions
     where network = $1 and state = 'SIGNED' and seq < $2 order by seq limit ${EARLIER_MAX}`,
    [network, seq],
  );
