import { createPlatformFee } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Feature } from '#kernel/feature.ts';
import { createBridgeRoutes } from './bridge-route.ts';
import { createBurnEffect } from './burn/effect.ts';
import { burnFees } from './burn/gas-payer.ts';
import { lookForBurnJob } from './burn/reported.ts';
import type { CrosschainBase, CrosschainDeps } from './deps.ts';
import { CROSSCHAIN_EVENTS, CROSSCHAIN_PAYMENTS } from './events.ts';
import type { BeginPorts } from './initiate.ts';
import { createLegListener, type LegListener } from './leg-listener.ts';
import { type BridgeLegs, createBridgeLegs } from './legs.ts';
import { createMintEffect } from './mint/effect.ts';
import { CROSSCHAIN_PERSON_DATA } from './person-data.ts';
import { chainRoutes, historyRoutes } from './read-routes.ts';
import { onTransaction } from './reconciliation/dropped.ts';
import { reconcileSchedule } from './reconciliation/reconcile.ts';
import { CROSSCHAIN_WORDS } from './reference.ts';
import { burnRoutes, crosschainActionRoutes } from './routes.ts';

export type { LegListener } from './leg-listener.ts';
export type { BridgeLegs, LegPlace } from './legs.ts';
export type { CrosschainTransfer } from './store.ts';
export { transferAmount } from './terms.ts';

/**
 * SQL of a user's transfers as rows of the history of everything: the newest $4 of user $1 that are numbered from
 * $2 to $3 in it. Only what has not been burnt yet can still be called off.
 */
export const TRANSFER_MOVEMENTS = `
  (select log_id::text as transaction_id, nonce, 'CROSSCHAIN_TRANSFER' as transaction_type, amount,
    token, from_chain, to_chain, recipient_address, status, burn_tx_hash as tx_hash, mint_tx_hash,
    created_at, updated_at, true as is_crosschain, status = 'INITIATED' as is_cancellable,
    movement
  from crosschain_transfers where user_id = $1 and movement between $2 and $3
  order by movement desc limit $4)`;

/** SQL of the number there of user $1's first transfer, in that order, whose time is as `rule` says. */
export const transfersNear = (rule: string, order: string): string =>
  `(select movement from crosschain_transfers where user_id = $1 and movement is not null and created_at ${rule}
    order by created_at ${order}, ordinal ${order} limit 1)`;

type Given = Omit<CrosschainBase, 'bridgeRoutes' | 'legs'>;

/** What every step of a transfer stands on. */
export function crosschainDeps(
  given: Given,
  legs: LegListener = createLegListener(),
): CrosschainDeps {
  const base = { ...given, legs, bridgeRoutes: createBridgeRoutes(given.evm, given.cctp) };
  const fees = createPlatformFee(base, burnFees(base));
  return {
    ...base,
    fees,
    burns: createBurnEffect(base, fees),
    mints: createMintEffect(base),
    lookForBurn: lookForBurnJob(base),
  };
}

/** USDC from chain to chain (contract part 2, Cross-chain). */
export function createCrosschain(
  given: Given & BeginPorts,
): Feature & { readonly legs: BridgeLegs } {
  const heard = createLegListener();
  const deps = crosschainDeps(given, heard);
  deps.evm.listen((row) => onTransaction(deps, row));
  return {
    name: 'crosschain',
    personData: CROSSCHAIN_PERSON_DATA,
    legs: createBridgeLegs(deps, heard),
    reference: CROSSCHAIN_WORDS,
    payments: [{ object: 'crosschain_transfer', rail: 'crosschain', source: CROSSCHAIN_PAYMENTS }],
    routes: [
      ...crosschainActionRoutes({ ...deps, fx: given.fx, policies: given.policies }),
      ...burnRoutes(deps),
      ...chainRoutes(deps),
      ...historyRoutes(),
    ],
    effects: [deps.burns, deps.mints, deps.fees],
    jobs: [deps.lookForBurn],
    schedules: [reconcileSchedule(deps)],
    events: CROSSCHAIN_EVENTS,
  };
}
