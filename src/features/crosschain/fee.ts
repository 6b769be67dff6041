import { transferCall } from '#chains/evm/calls.ts';
import type { EvmNetwork } from '#chains/evm/network.ts';
import type { Signer } from '#chains/evm/signer.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { CrosschainDeps, SignersOf } from './deps.ts';
import type { Passages } from './passage.ts';
import { findTransfer } from './queries.ts';
import { noteFee, type Transfer } from './store.ts';

type FeeDeps = Pick<CrosschainDeps, 'db' | 'log'> & {
  readonly evm: EvmNetwork;
  readonly passages: Passages;
  readonly signersOf: SignersOf;
};

/**
 * Takes the platform's fee from the managed wallet that paid the burn, once. It was there when the
 * burn was sent; where it has been spent since, the attempts end in a dead letter.
 */
export const feeJob = (deps: FeeDeps): Job<{ log_id: string }> =>
  defineJob({
    name: 'crosschain.collect-fee',
    async run({ log_id }) {
      const transfer = await findTransfer(deps.db, { log_id });
      if (!transfer || transfer.fee_tx_hash !== null) return undefined;
      const managed = await deps.signersOf(transfer.user_id, transfer.from_chain);
      const payer = managed.find(({ address }) => address === transfer.burn_from);
      // A wallet that was deleted meanwhile has taken its key along.
      if (payer) await collectFee(deps, transfer, payer);
      else deps.log.warn({ crosschain_log: log_id }, 'Nobody is left to pay a cross-chain fee');
      return undefined;
    },
  });

/** Sends the fee to the treasury under the transfer's name, and writes its hash down. */
export async function collectFee(
  { db, evm, passages }: Pick<FeeDeps, 'db' | 'evm' | 'passages'>,
  transfer: Transfer,
  payer: Signer,
): Promise<void> {
  const token = passages[transfer.passage].token(transfer);
  const { hash } = await evm.chains[transfer.from_chain].sender.execute({
    signer: payer,
    ...transferCall(token, evm.keys.treasury.address, transfer.platform_fee),
    reference: `burn-fee:${transfer.nonce}`,
    purpose: 'bridge fee',
  });
  await noteFee(db, transfer.log_id, hash);
}
