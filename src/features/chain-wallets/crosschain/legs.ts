import { randomBytes } from 'node:crypto';
import type { Address } from 'viem';
import { CHAINS, type ChainKey, findByHash } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { AppError } from '#kernel/error.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { bridgeRouteOf } from './bridge-route.ts';
import { proveBurn } from './burn/reported.ts';
import { mintCost } from './cost.ts';
import type { CrosschainDeps } from './deps.ts';
import type { LegListener } from './leg-listener.ts';
import { findCrosschainTransfer } from './read-store.ts';
import { undoDroppedBurn, withCurrentHashes } from './reconciliation/dropped.ts';
import {
  burnId,
  burnReference,
  type CrosschainTransfer,
  insertTransfer,
  lockTransfer,
  markFailed,
  markProven,
  mintId,
  recordBurner,
  startMint,
} from './store.ts';

/** From which chain to which. */
export interface LegWay {
  readonly from_chain: ChainKey;
  readonly to_chain: ChainKey;
}

/** A transfer between two EVM chains that carries a bridge transfer to an address of the platform. */
export interface NewLeg extends LegWay {
  readonly log_id: string;
  readonly bridge_transfer: string;
  readonly operation: string;
  readonly client_id: number;
  readonly user_id: number;
  /** A managed address of the user's. */
  readonly source: Address;
  /** What is burnt, in units of USDC; the fee is taken from the same address beside it. */
  readonly units: bigint;
  readonly fee: bigint;
  /** The text of `units`. */
  readonly amount: string;
}

/** Where a transaction of a leg is. */
export interface LegPlace {
  readonly hash: string;
  readonly block: number | null;
}

/** What a bridge transfer needs of the transfer that carries it. */
export interface BridgeLegs {
  listen(listener: LegListener): void;
  /** Millionths of a USDC that a mint takes from the platform, with so much gas beside it. Throws where the chain is away. */
  costOf(fx: ExchangeRates, way: LegWay, moreGas: bigint): Promise<bigint>;
  /** The token that is burnt there. */
  tokenOf(way: LegWay): Address;
  /** Begins its burn. Policies have decided about the bridge transfer before. */
  begin(tx: Db, leg: NewLeg): Promise<Intent | undefined>;
  /** Begins the burn of one whose burn the chain has dropped. */
  burnAgain(tx: Db, leg: CrosschainTransfer): Promise<void>;
  /** Its burn was refused, and no other one is made. */
  giveUp(tx: Db, leg: CrosschainTransfer): Promise<void>;
  driveBurn(leg: string, intent?: Intent): Promise<void>;
  driveMint(leg: string): Promise<void>;
  /** Whether the burn has its confirmations and, where others attest it, their word. */
  attest(leg: string): Promise<Outcome<LegPlace>>;
  beginMint(tx: Db, leg: string): Promise<void>;
  /** The transaction that has minted it. */
  mintOf(db: Db, leg: CrosschainTransfer): Promise<LegPlace>;
}

/** Legs of bridge transfers: burnt, attested and minted as every transfer, and shown as such to none. */
export function createBridgeLegs(
  deps: CrosschainDeps,
  { listen }: Pick<BridgeLegs, 'listen'>,
): BridgeLegs {
  const { db, effects, burns, mints, clock } = deps;
  const find = async (log_id: string) => {
    const leg = await findCrosschainTransfer(db, { log_id });
    if (!leg) throw new Error(`There is no leg ${log_id}`);
    return leg;
  };
  const beginBurn = async (tx: Db, leg: CrosschainTransfer, left?: object) => {
    const operation = leg.operation ?? leg.log_id;
    await recordBurner(tx, leg.log_id, { operation, mode: 'backend' });
    return effects.begin(tx, burns, burnId(leg), { owner: operation, ...(left && { left }) });
  };
  return {
    listen,
    costOf: (fx, way, moreGas) =>
      mintCost({ ...deps, fx }, { ...way, bridge_route: bridgeRouteOf(deps, way) }, moreGas),
    tokenOf: (way) => deps.bridgeRoutes[bridgeRouteOf(deps, way)].token(way),
    begin: async (tx, leg) => beginBurn(tx, await insertLeg(deps, tx, leg)),
    async burnAgain(tx, leg) {
      await beginBurn(tx, leg, {});
    },
    async giveUp(tx, { log_id, operation }) {
      await markFailed(tx, log_id, { operation: operation ?? log_id, at: clock.now() });
    },
    async driveBurn(log_id, intent) {
      const leg = await find(log_id);
      const owner = leg.operation ?? log_id;
      await effects.drive(burns, burnId(leg), { owner, intent });
    },
    async driveMint(log_id) {
      await effects.drive(mints, mintId(await find(log_id)));
    },
    attest: async (log_id) => attest(deps, await find(log_id)),
    async beginMint(tx, log_id) {
      const leg = await lockTransfer(tx, log_id);
      if (leg?.status !== 'BURNED') throw new Error(`${log_id} is not BURNED`);
      await startMint(tx, log_id, { operation: leg.operation ?? log_id, at: clock.now() });
      await effects.begin(tx, mints, mintId(leg), { left: {} });
    },
    async mintOf(from, { to_chain, mint_tx_hash }) {
      if (mint_tx_hash === null) throw new Error('It is not minted');
      const row = await findByHash(from, CHAINS[to_chain].chainId, mint_tx_hash);
      return { hash: mint_tx_hash, block: row?.block_number ?? null };
    },
  };
}

async function insertLeg(
  deps: CrosschainDeps,
  tx: Db,
  { source, fee, ...leg }: NewLeg,
): Promise<CrosschainTransfer> {
  const at = deps.clock.now().toISOString();
  return insertTransfer(tx, {
    ...leg,
    nonce: randomBytes(16).toString('hex'),
    platform_fee: fee,
    token: 'USDC',
    recipient_address: deps.evm.keys.treasury.address,
    return_address: source,
    bridge_route: bridgeRouteOf(deps, leg),
    created_at: at,
    ordinal: null,
    movement: null,
  });
}

async function attest(deps: CrosschainDeps, found: CrosschainTransfer): Promise<Outcome<LegPlace>> {
  const leg = await withCurrentHashes(deps.db, found);
  if (await undoDroppedBurn(deps, leg)) return unknown('The chain has dropped the burn');
  const { burn_tx_hash: hash, log_id, from_chain } = leg;
  if (leg.status !== 'BURNED' || hash === null) return unknown('It is not burnt yet');
  try {
    const proof = await proveBurn(deps, leg, hash);
    if (!('proven' in proof)) return unknown('The burn has too few confirmations yet');
    await markProven(deps.db, log_id);
    // Where others attest a burn, nothing can be minted before their word.
    const call = await deps.bridgeRoutes[leg.bridge_route].mintCall(leg, hash);
    if (call.kind !== 'done') return unknown('The burn cannot be attested at the moment');
    if (call.value === undefined) return unknown('The burn is not attested yet');
    const row = await deps.evm.chains[from_chain].sender.find(burnReference(leg));
    return done({ hash, block: row?.block_number ?? null });
  } catch (error) {
    if (error instanceof AppError) return unknown(error.message);
    throw error;
  }
}
