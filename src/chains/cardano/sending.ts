import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { DB } from '#kernel/db/schema.generated.ts';
import { transact } from '#kernel/db/transact.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import { type Clock, monotonicMs } from '#kernel/clock.ts';
import type { Logger } from '#kernel/log.ts';
import type { Blockfrost } from './blockfrost.ts';
import { build, choose, type Params } from './build.ts';
import { loadLib } from './csl.ts';
import {
  dropOutputs,
  earlierUnderWay,
  findLive,
  insertOutputs,
  insertSigned,
  type Journalled,
  lockTreasury,
  markConfirmed,
  markLapsed,
  unspent,
} from './journal.ts';
import type { CardanoKeys } from './keys.ts';
import type { Done, Order } from './port.ts';

export interface SendingDeps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly node: Blockfrost;
  readonly keys: () => Promise<CardanoKeys>;
  /** Which ledger the journal's rows are for. */
  readonly network: string;
  readonly settings: SendingSettings;
}

export interface SendingSettings {
  /** How long a caller waits for a block. */
  readonly waitMs: number;
  /** Between two questions whether it is in one. */
  readonly pollMs: number;
  /** Slots, which are seconds, in which a transaction may come into a block. */
  readonly ttlSlots: number;
  /** Slots past its last one until nothing that the network may take back can bring it in any more. */
  readonly marginSlots: number;
}

/** The code of what was not signed, because the treasury has too few coins or tokens. */
export const TREASURY_EMPTY = 'TREASURY_EMPTY';
const POLL_MAX_MS = 5_000;
/** How long what the network asks for, and the slot it was asked for in, are good for. */
const TERMS_FRESH_MS = 300_000;

interface Terms {
  readonly params: Params;
  readonly slot: number;
  readonly atMs: number;
}

/**
 * Signs and sends transactions of the treasury, one after the other: each may spend what the one before
 * gives back, so that none has to wait for a block. What is signed is in the journal before it leaves,
 * under a lock of the database that the signers of all processes share.
 */
export function createSending(deps: SendingDeps) {
  const { db, node, network, settings } = deps;
  let terms: Terms | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  /** The ledger hears them in the order in which they were signed. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function currentTerms(): Promise<Outcome<Terms>> {
    const atMs = deps.clock.now().getTime();
    if (terms && atMs - terms.atMs < TERMS_FRESH_MS) return done(terms);
    const [params, slot] = await Promise.all([node.params(), node.tip()]);
    if (params.kind !== 'done') return params;
    if (slot.kind !== 'done') return slot;
    terms = { params: params.value, slot: slot.value, atMs };
    return done(terms);
  }

  /** Slots are seconds. */
  const slotNow = ({ slot, atMs }: Terms): number =>
    slot + Math.floor((deps.clock.now().getTime() - atMs) / 1000);

  async function sign(order: Order): Promise<Outcome<Journalled>> {
    const [lib, keys] = await Promise.all([loadLib(), deps.keys()]);
    const asked = await currentTerms();
    if (asked.kind !== 'done') return asked;
    const { params } = asked.value;
    const ttl = slotNow(asked.value) + settings.ttlSlots;
    return transact(db, async (tx) => {
      await lockTreasury(tx, network);
      const known = await findLive(tx, network, order.reference);
      if (known) return done(known);
      const inputs = choose(await unspent(tx, network), order);
      if (!inputs) return refused(TREASURY_EMPTY, 'The treasury cannot pay for it');
      const signed = build(lib, keys, { ...order, inputs, params, ttl });
      return done(await insertSigned(tx, { network, order, signed, ttl }));
    });
  }

  /** Takes over what the chain knows of the treasury: what others have paid in, and what is gone. */
  async function refresh(): Promise<Outcome<void>> {
    const { treasury, assetId } = await deps.keys();
    const there = await node.utxos(treasury, assetId);
    if (there.kind !== 'done') return there;
    await transact(db, async (tx) => {
      await lockTreasury(tx, network);
      await insertOutputs(tx, network, there.value);
      await dropOutputs(tx, network, there.value);
    });
    return done(undefined);
  }

  async function signOrRefresh(order: Order): Promise<Outcome<Journalled>> {
    const signed = await sign(order);
    if (signed.kind !== 'refused') return signed;
    const refreshed = await refresh();
    return refreshed.kind === 'done' ? sign(order) : refreshed;
  }

  async function push(entry: Journalled): Promise<void> {
    const told = await node.submit(entry.raw);
    if (told.kind !== 'refused' || !told.message.includes('BadInputs')) return;
    // It may spend what the ledger has yet to hear of.
    for (const earlier of await earlierUnderWay(db, entry)) await node.submit(earlier.raw);
    await node.submit(entry.raw);
  }

  /** Until it is in a block, or can come into none, or the caller has waited long enough. */
  async function follow(entry: Journalled): Promise<Outcome<Done | undefined>> {
    const until = monotonicMs() + settings.waitMs;
    for (let pauseMs = settings.pollMs; ; pauseMs = Math.min(pauseMs * 2, POLL_MAX_MS)) {
      const found = await node.find(entry.hash);
      if (found.kind === 'done' && found.value) {
        await markConfirmed(db, entry.hash);
        return done(doneOf(entry));
      }
      if (found.kind === 'done' && (await isPast(entry))) return lapse(entry);
      if (monotonicMs() + pauseMs >= until)
        return unknown(found.kind === 'unknown' ? found.cause : 'It is in no block yet');
      await wait(pauseMs, undefined, { ref: false });
      await push(entry);
    }
  }

  /** That no block can hold it any more: the newest is past its last slot, and it is in none. */
  async function isPast({ hash, ttl }: Journalled): Promise<boolean> {
    const tip = await node.tip();
    if (tip.kind !== 'done' || tip.value <= ttl + settings.marginSlots) return false;
    const found = await node.find(hash);
    return found.kind === 'done' && found.value === undefined;
  }

  async function lapse(entry: Journalled): Promise<Outcome<undefined>> {
    deps.log.warn({ hash: entry.hash, reference: entry.reference }, 'A transaction has lapsed');
    await transact(db, async (tx) => {
      await lockTreasury(tx, network);
      await markLapsed(tx, entry.hash);
    });
    const refreshed = await refresh();
    return refreshed.kind === 'done' ? done(undefined) : refreshed;
  }

  return {
    async send(order: Order): Promise<Outcome<Done>> {
      let entry = await findLive(db, network, order.reference);
      if (entry === undefined) {
        const signed = await inTurn(async () => {
          const made = await signOrRefresh(order);
          if (made.kind === 'done') await push(made.value);
          return made;
        });
        if (signed.kind !== 'done') return signed;
        entry = signed.value;
      }
      mustMatch(entry, order);
      if (entry.state === 'CONFIRMED')
        return done(doneOf(entry));
      const ended = await follow(entry);
      if (ended.kind !== 'done') return ended;
      return ended.value ? done(ended.value) : unknown('It has lapsed and is signed anew');
    },
  };
}

const doneOf = ({ hash, fee, sent }: Journalled): Done => ({ hash, fee, sent });

function mustMatch(entry: Journalled, { reference, kind, units, to }: Order): void {
  if (entry.kind !== kind || entry.units !== units || (entry.recipient ?? undefined) !== to)
    throw new Error(`${reference} was another transaction before`);
}
