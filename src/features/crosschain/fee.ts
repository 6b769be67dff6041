import {
  ChainError,
  type EvmNetwork,
  type Executed,
  hasFailed,
  type Signer,
  transferCall,
} from '#chains/evm/port.ts';
import { type Again, defineJob, type Job } from '#kernel/jobs/job.ts';
import type { BridgeRoutes } from './bridge-route.ts';
import type { CrosschainDeps, SignersOf } from './deps.ts';
import { finalityOf } from './dropped.ts';
import { findTransfer } from './queries.ts';
import { feeReference } from './references.ts';
import { withCurrentHashes } from './replaced.ts';
import { settleFee, type Transfer } from './store.ts';

type FeeDeps = Pick<CrosschainDeps, 'db' | 'log' | 'clock'> & {
  readonly evm: EvmNetwork;
  readonly bridgeRoutes: BridgeRoutes;
  readonly signersOf: SignersOf;
};

/** Basis points: what the node asks for and no more, since nobody waits for a fee. */
const PLAIN_PRICE = 10_000n;
const SOON_MS = 60_000;
const WHEN_SHORT_MS = 15 * 60_000;
/** After that a wallet that cannot pay is left alone, and can be deleted again. */
const GIVE_UP_MS = 24 * 3_600_000;

/**
 * Takes the platform's fee from the managed wallet that paid the burn, once. It was set aside for it,
 * so it is there unless its owner has used the words of the wallet elsewhere.
 */
export const feeJob = (deps: FeeDeps): Job<{ log_id: string }> =>
  defineJob({
    name: 'crosschain.collect-fee',
    async run({ log_id }) {
      const transfer = await findTransfer(deps.db, { log_id });
      if (transfer?.fee_status !== 'DUE') return undefined;
      const managed = await deps.signersOf(transfer.user_id, transfer.from_chain);
      const payer = managed.find(({ address }) => address === transfer.burn_from);
      if (payer === undefined) return writeOff(deps, transfer);
      // Nothing is taken for a burn that a reorganisation may still undo.
      const { from_chain, burn_tx_hash } = await withCurrentHashes(deps.db, transfer);
      if ((await finalityOf(deps.db, from_chain, burn_tx_hash)) === 'open')
        return after(deps, SOON_MS);
      try {
        const { hash, is_final } = await payFee(deps, transfer, payer);
        if (!is_final) return after(deps, SOON_MS);
        await settleFee(deps.db, transfer, hash);
        return undefined;
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        return later(deps, transfer, error);
      }
    },
  });

/** Sends the fee to the treasury under the transfer's name. */
export function payFee(
  { evm, bridgeRoutes }: Pick<FeeDeps, 'evm' | 'bridgeRoutes'>,
  transfer: Transfer,
  payer: Signer,
): Promise<Executed> {
  const token = bridgeRoutes[transfer.passage].token(transfer);
  return evm.chains[transfer.from_chain].sender.execute({
    signer: payer,
    ...transferCall(token, evm.keys.treasury.address, transfer.platform_fee),
    reference: feeReference(transfer),
    purpose: 'bridge fee',
    gasPricePoints: PLAIN_PRICE,
  });
}

const after = ({ clock }: FeeDeps, ms: number): Again => ({
  again: new Date(clock.now().getTime() + ms),
});

/** When to try again; nothing once it is given up. */
async function later(
  deps: FeeDeps,
  transfer: Transfer,
  { kind }: ChainError,
): Promise<Again | undefined> {
  if (kind === 'pending' || kind === 'unreachable') return after(deps, SOON_MS);
  const row = await deps.evm.chains[transfer.from_chain].sender.find(feeReference(transfer));
  if (row && !hasFailed(row)) return after(deps, SOON_MS);
  // What the chain has undone cannot be sent again under its name.
  const now = deps.clock.now().getTime();
  const isOver = row !== undefined || now - Date.parse(transfer.updated_at) > GIVE_UP_MS;
  return isOver ? writeOff(deps, transfer) : after(deps, WHEN_SHORT_MS);
}

async function writeOff({ db, log }: FeeDeps, transfer: Transfer): Promise<undefined> {
  await settleFee(db, transfer, undefined);
  log.warn({ crosschain_log: transfer.log_id }, 'A cross-chain fee was not paid');
}
