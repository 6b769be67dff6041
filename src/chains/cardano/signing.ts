import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { done, type Outcome, refused } from '#kernel/effects/outcome.ts';
import { transact } from '#kernel/transact.ts';
import type { Blockfrost } from './blockfrost.ts';
import { build, chainCostOf, choose, type Params, USUAL_PARAMS } from './build.ts';
import { loadLib } from './csl.ts';
import {
  type CardanoJournalEntry,
  dropOutputs,
  findLive,
  insertOutputs,
  insertSigned,
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
  sign(order: Order): Promise<Outcome<CardanoJournalEntry>>;
  /** Takes over what the chain knows of the treasury: what others have paid in, and what is gone. */
  refresh(): Promise<Outcome<void>>;
  /** What it takes from the treasury, in lovelace, by what the network was last known to ask for. */
  costOf(order: Pick<Order, 'kind' | 'units' | 'to'>): Promise<bigint>;
}

/** The code of what was not signed, because the treasury has too few coins or tokens. */
export const TREASURY_EMPTY = 'TREASURY_EMPTY';
/** How long what the network asks for, and the slot it was asked for in, are good for. */
const TERMS_FRESH_MS = 300_000;

/**
 * Each transaction may spend what the one before gives back, so that none has to wait for a block. What
 * is signed is in the journal before it leaves, under a lock of the database that the signers of all
 * processes share.
 */
export function createSigning(deps: SigningDeps): Signing {
  const { termsNow, lastParams } = termsReader(deps);
  return {
    refresh: () => refresh(deps),
    async costOf({ kind, units, to }) {
      const [lib, keys] = await Promise.all([loadLib(), deps.keys()]);
      return chainCostOf(lib, keys, { kind, units, to, params: lastParams() ?? USUAL_PARAMS });
    },
    async sign(order) {
      const signed = await signOnce(deps, order, termsNow);
      if (signed.kind !== 'refused') return signed;
      const refreshed = await refresh(deps);
      return refreshed.kind === 'done' ? signOnce(deps, order, termsNow) : refreshed;
    },
  };
}

interface Terms {
  readonly params: Params;
  /** Slots are seconds. */
  readonly slot: number;
}

/** What the network asks for, and the slot of now, counted on from when it was asked for. */
function termsReader({ clock, node }: SigningDeps) {
  let known: (Terms & { readonly atMs: number }) | undefined;
  async function termsNow(): Promise<Outcome<Terms>> {
    const atMs = clock.now().getTime();
    if (known === undefined || atMs - known.atMs >= TERMS_FRESH_MS) {
      const [params, slot] = await Promise.all([node.params(), node.tip()]);
      if (params.kind !== 'done') return params;
      if (slot.kind !== 'done') return slot;
      known = { params: params.value, slot: slot.value.slot, atMs };
    }
    const { params, slot } = known;
    return done({ params, slot: slot + Math.floor((atMs - known.atMs) / 1000) });
  }
  return { termsNow, lastParams: () => known?.params };
}

async function signOnce(
  { db, network, ttlSlots, keys: keysOf }: SigningDeps,
  order: Order,
  termsNow: () => Promise<Outcome<Terms>>,
): Promise<Outcome<CardanoJournalEntry>> {
  const [lib, keys] = await Promise.all([loadLib(), keysOf()]);
  const terms = await termsNow();
  if (terms.kind !== 'done') return terms;
  const { params, slot } = terms.value;
  const ttl = slot + ttlSlots;
  return transact(db, async (tx) => {
    await lockTreasury(tx, network);
    const known = await findLive(tx, network, order.reference);
    if (known) return done(known);
    const inputs = choose(await unspent(tx, network), order);
    if (!inputs) return refused(TREASURY_EMPTY, 'The treasury cannot pay for it');
    await order.permit?.(tx);
    const signed = build(lib, keys, { ...order, inputs, params, ttl });
    return done(await insertSigned(tx, { network, order, signed, ttl }));
  });
}

async function refresh({ db, node, network, keys }: SigningDeps): Promise<Outcome<void>> {
  const { treasury, assetId } = await keys();
  const there = await node.utxos(treasury, assetId);
  if (there.kind !== 'done') return there;
  await transact(db, async (tx) => {
    await lockTreasury(tx, network);
    await insertOutputs(tx, network, there.value);
    await dropOutputs(tx, network, there.value);
  });
  return done(undefined);
}
