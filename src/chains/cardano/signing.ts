import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { transact } from '#kernel/db/transact.ts';
import { done, type Outcome, refused } from '#kernel/effects/outcome.ts';
import type { Blockfrost } from './blockfrost.ts';
import { build, choose, type Params } from './build.ts';
import { loadLib } from './csl.ts';
import {
  dropOutputs,
  findLive,
  insertOutputs,
  insertSigned,
  type Journalled,
  lockTreasury,
  unspent,
} from './journal.ts';
import type { CardanoKeys } from './keys.ts';
import type { Order } from './port.ts';

export interface SigningDeps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly node: Blockfrost;
  readonly keys: () => Promise<CardanoKeys>;
  /** Which ledger the journal's rows are for. */
  readonly network: string;
  /** Slots, which are seconds, in which a transaction may come into a block. */
  readonly ttlSlots: number;
}

/** Signs what was ordered, and knows what the treasury has to spend. */
export interface Signing {
  /** As it is in the journal; REFUSED with TREASURY_EMPTY where nothing was signed. */
  sign(order: Order): Promise<Outcome<Journalled>>;
  /** Takes over what the chain knows of the treasury: what others have paid in, and what is gone. */
  refresh(): Promise<Outcome<void>>;
}

/** The code of what was not signed, because the treasury has too few coins or tokens. */
export const TREASURY_EMPTY = 'TREASURY_EMPTY';
/** How long what the network asks for, and the slot it was asked for in, are good for. */
const TERMS_FRESH_MS = 300_000;

interface Terms {
  readonly params: Params;
  readonly slot: number;
  readonly atMs: number;
}

/**
 * Each transaction may spend what the one before gives back, so that none has to wait for a block. What
 * is signed is in the journal before it leaves, under a lock of the database that the signers of all
 * processes share.
 */
export function createSigning(deps: SigningDeps): Signing {
  const { db, clock, node, network, ttlSlots } = deps;
  let terms: Terms | undefined;

  async function currentTerms(): Promise<Outcome<Terms>> {
    const atMs = clock.now().getTime();
    if (terms && atMs - terms.atMs < TERMS_FRESH_MS) return done(terms);
    const [params, slot] = await Promise.all([node.params(), node.tip()]);
    if (params.kind !== 'done') return params;
    if (slot.kind !== 'done') return slot;
    terms = { params: params.value, slot: slot.value, atMs };
    return done(terms);
  }

  /** Slots are seconds. */
  const slotNow = ({ slot, atMs }: Terms): number =>
    slot + Math.floor((clock.now().getTime() - atMs) / 1000);

  async function once(order: Order): Promise<Outcome<Journalled>> {
    const [lib, keys] = await Promise.all([loadLib(), deps.keys()]);
    const asked = await currentTerms();
    if (asked.kind !== 'done') return asked;
    const { params } = asked.value;
    const ttl = slotNow(asked.value) + ttlSlots;
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

  return {
    refresh,
    async sign(order) {
      const signed = await once(order);
      if (signed.kind !== 'refused') return signed;
      const refreshed = await refresh();
      return refreshed.kind === 'done' ? once(order) : refreshed;
    },
  };
}
