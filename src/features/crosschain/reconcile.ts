import { chainFault, type EvmChain } from '#chains/evm/port.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { format } from '#kernel/money/money.ts';
import { type Break, openBreak, settleBreak } from './breaks.ts';
import type { CrosschainDeps } from './deps.ts';
import { finalityOf, undoDroppedBurn, undoDroppedMint } from './dropped.ts';
import { listStuck, listUnreconciled } from './queries.ts';
import { withCurrentHashes } from './replaced.ts';
import { markReconciled, type Transfer } from './store.ts';
import { compareSupply } from './supply.ts';

/** A burn that nobody has minted for so long is somebody's money in nobody's hands. */
const STUCK_MS = 3_600_000;
const AT_ONCE = 100;

/**
 * Holds the log against the chains: both ends of what is minted, burns that were never minted, and
 * the supply of the three chains. What does not match is kept and reported once.
 */
export const reconcileSchedule = (deps: CrosschainDeps): Schedule =>
  defineSchedule({
    name: 'crosschain.reconcile',
    cron: '*/10 * * * *',
    async run() {
      await reconcile(deps);
    },
  });

export async function reconcile(deps: CrosschainDeps): Promise<void> {
  const { db, clock, evm, log } = deps;
  const minted = await listUnreconciled(db, AT_ONCE);
  for (const transfer of minted) await checkEnds(deps, transfer);
  const before = new Date(clock.now().getTime() - STUCK_MS);
  for (const stuck of await listStuck(db, before, AT_ONCE)) {
    const { log_id: subject, from_chain, updated_at: since } = stuck;
    if (await undoDroppedBurn(deps, await withCurrentHashes(db, stuck))) continue;
    await report(deps, { kind: 'STUCK', subject, details: { from_chain, since } });
  }
  for (const chain of Object.values(evm.chains)) {
    if (!chain.isRunning()) continue;
    await checkSupply(deps, chain).catch((error: unknown) => {
      log.warn({ chain: chain.info.key, err: chainFault(error) }, 'A supply could not be read');
    });
  }
}

/** A burn taken at its word in mock mode has nothing to be held against. */
async function checkEnds(deps: CrosschainDeps, found: Transfer): Promise<void> {
  const transfer = await withCurrentHashes(deps.db, found);
  if (await undoDroppedMint(deps, transfer)) return;
  const { db, clock, bridgeRoutes, log } = deps;
  const { log_id: subject, burn_tx_hash, mint_tx_hash, burn_proof } = transfer;
  if (burn_tx_hash === null || mint_tx_hash === null) return;
  const passage = bridgeRoutes[transfer.passage];
  try {
    const ends = [
      burn_proof === 'WORD' ? undefined : await passage.proveBurn(transfer, burn_tx_hash, 1),
      await passage.proveMint(transfer, burn_tx_hash, mint_tx_hash),
    ] as const;
    let isWhole = true;
    for (const [i, kind] of (['BURN', 'MINT'] as const).entries()) {
      const end = ends[i];
      if (end !== undefined && 'disproof' in end) {
        isWhole = false;
        await report(deps, { kind, subject, details: { disproof: end.disproof } });
      } else await settleBreak(db, kind, subject, clock.now());
    }
    if (isWhole && !(await mayChange(db, transfer))) await markReconciled(db, subject, clock.now());
  } catch (error) {
    log.warn({ crosschain_log: subject, err: chainFault(error) }, 'Could not be reconciled');
  }
  await settleBreak(db, 'STUCK', subject, clock.now());
}

/** A reorganisation may still take one of the ends away, which is looked at again until then. */
async function mayChange(
  db: CrosschainDeps['db'],
  { from_chain, burn_tx_hash, to_chain, mint_tx_hash }: Transfer,
): Promise<boolean> {
  const ends = [
    await finalityOf(db, from_chain, burn_tx_hash),
    await finalityOf(db, to_chain, mint_tx_hash),
  ];
  return ends.includes('open');
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

async function report({ db, clock, log }: CrosschainDeps, found: Break): Promise<void> {
  if (await openBreak(db, found, clock.now()))
    log.error(
      { ...found.details, kind: found.kind, subject: found.subject },
      'Chains and log differ',
    );
}
