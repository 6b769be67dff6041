import { chainFault, type EvmChain, finalityOf } from '#chains/evm/port.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { format } from '#kernel/money/money.ts';
import type { CrosschainDeps } from '../deps.ts';
import type { CrosschainTransfer } from '../store.ts';
import { undoDroppedBurn, undoDroppedMint, withCurrentHashes } from './dropped.ts';
import {
  type CrosschainBreak,
  listStuck,
  listUnreconciled,
  markChecked,
  openBreak,
  settleBreak,
} from './store.ts';
import { compareSupply } from './supply.ts';

/** A burn without its mint for so long is money that has left one chain and not reached the other. */
const STUCK_MS = 3_600_000;
/** Looked at together; what one run does not come to is the next one's. */
const AT_ONCE = 10;
const MOST = 5_000;

/**
 * Holds the log against the chains: both ends of what is minted, burns that were never minted, and
 * the supply of the three chains. What does not match is kept and reported once.
 */
export const reconcileSchedule = (deps: CrosschainDeps): Schedule =>
  defineSchedule({
    name: 'crosschain.reconcile',
    cron: '*/10 * * * *',
    run: ({ signal }) => reconcile(deps, signal),
  });

async function reconcile(deps: CrosschainDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, evm, log } = deps;
  const since = clock.now();
  const before = new Date(since.getTime() - STUCK_MS);
  await eachOf(
    () => listUnreconciled(db, since, AT_ONCE),
    (minted) => checkEnds(deps, minted),
    signal,
  );
  await eachOf(
    () => listStuck(db, before, AT_ONCE),
    (stuck) => checkStuck(deps, stuck),
    signal,
  );
  for (const chain of Object.values(evm.chains)) {
    if (!chain.isRunning()) continue;
    await checkSupply(deps, chain).catch((error: unknown) => {
      log.warn({ chain: chain.info.key, err: chainFault(error) }, 'A supply could not be read');
    });
  }
}

/** As many as there are: a transfer that was looked at is not listed again. */
async function eachOf(
  list: () => Promise<CrosschainTransfer[]>,
  check: (transfer: CrosschainTransfer) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (let seen = 0; seen < MOST && !signal.aborted; seen += AT_ONCE) {
    const some = await list();
    await Promise.all(some.map(check));
    if (some.length < AT_ONCE) return;
  }
}

async function checkEnds(deps: CrosschainDeps, found: CrosschainTransfer): Promise<void> {
  const { db, clock, log } = deps;
  const { log_id } = found;
  const transfer = await withCurrentHashes(db, found);
  if (await undoDroppedMint(deps, transfer)) return;
  const isWhole = await compareEnds(deps, transfer).catch((error: unknown) => {
    log.warn({ crosschain_log: log_id, err: chainFault(error) }, 'Could not be reconciled');
    return false;
  });
  await settleBreak(db, 'STUCK', log_id, clock.now());
  const isLasting = isWhole && !(await mayChange(db, transfer));
  await markChecked(db, transfer, { at: clock.now(), isWhole: isLasting });
}

/** Whether both are as they should be. A burn taken at its word in mock mode has nothing to show. */
async function compareEnds(deps: CrosschainDeps, transfer: CrosschainTransfer): Promise<boolean> {
  const { db, clock, bridgeRoutes } = deps;
  const { log_id: subject, burn_tx_hash, mint_tx_hash, burn_proof } = transfer;
  if (burn_tx_hash === null || mint_tx_hash === null) return false;
  const route = bridgeRoutes[transfer.bridge_route];
  const ends = [
    burn_proof === 'WORD' ? undefined : await route.proveBurn(transfer, burn_tx_hash, 1),
    await route.proveMint(transfer, burn_tx_hash, mint_tx_hash),
  ] as const;
  let isWhole = true;
  for (const [i, kind] of (['BURN', 'MINT'] as const).entries()) {
    const end = ends[i];
    if (end !== undefined && 'disproof' in end) {
      isWhole = false;
      await report(deps, { kind, subject, details: { disproof: end.disproof } });
    } else await settleBreak(db, kind, subject, clock.now());
  }
  return isWhole;
}

/** A reorganisation may still take one of the ends away, which is looked at again until then. */
async function mayChange(
  db: CrosschainDeps['db'],
  { from_chain, burn_tx_hash, to_chain, mint_tx_hash }: CrosschainTransfer,
): Promise<boolean> {
  const ends = [
    await finalityOf(db, from_chain, burn_tx_hash),
    await finalityOf(db, to_chain, mint_tx_hash),
  ];
  return ends.includes('open');
}

async function checkStuck(deps: CrosschainDeps, stuck: CrosschainTransfer): Promise<void> {
  const { db, clock } = deps;
  const { log_id: subject, from_chain, updated_at: since } = stuck;
  if (await undoDroppedBurn(deps, await withCurrentHashes(db, stuck))) return;
  await report(deps, { kind: 'STUCK', subject, details: { from_chain, since } });
  await markChecked(db, stuck, { at: clock.now(), isWhole: false });
}

async function checkSupply(deps: CrosschainDeps, chain: EvmChain): Promise<void> {
  const { db, clock, cctp } = deps;
  const { key } = chain.info;
  // What Circle makes and burns is not ours to account for.
  if (cctp.joins(key, key) && cctp.token(key) === chain.contracts.usdc) return;
  const supply = await compareSupply(db, chain);
  if (supply === undefined) return;
  const { expected, found } = supply;
  if (expected === found) return settleBreak(db, 'SUPPLY', key, clock.now());
  const text = (units: bigint) => format({ asset: 'USDC', units });
  await report(deps, {
    kind: 'SUPPLY',
    subject: key,
    details: { expected: text(expected), found: text(found) },
  });
}

async function report({ db, clock, log }: CrosschainDeps, found: CrosschainBreak): Promise<void> {
  if (await openBreak(db, found, clock.now()))
    log.error(
      { ...found.details, kind: found.kind, subject: found.subject },
      'Chains and log differ',
    );
}
