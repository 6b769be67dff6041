import { ChainError, type EvmNetwork, type Executed, hasFailed } from '#chains/evm/port.ts';
import { managedAddresses, signerOf } from '#features/crypto-wallets/crypto-wallets.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { FeeDue } from './follow.ts';
import { moveCall } from './order.ts';
import { feeReference } from './references.ts';
import { findSend, type Send, settleFee } from './store.ts';

type FeeDeps = Pick<Kernel, 'db' | 'vault' | 'clock' | 'log'> & { readonly evm: EvmNetwork };

/** Basis points: what the node asks for and no more, since nobody waits for a fee. */
const PLAIN_PRICE = 10_000n;
const SOON_MS = 60_000;
const WHEN_SHORT_MS = 15 * 60_000;
/** After that a wallet that cannot pay is left alone, and can be deleted again. */
const GIVE_UP_MS = 24 * 3_600_000;

/** Takes the platform's fee of a settled send from its wallet, once. */
export const collectFeeJob = (deps: FeeDeps): Job<FeeDue> =>
  defineJob<FeeDue>({
    name: 'onchain.collect-fee',
    async run({ operation }) {
      const send = await findSend(deps.db, operation);
      if (!send?.is_settled || send.fee_status !== 'DUE') return undefined;
      try {
        const { hash, is_final } = await pay(deps, send);
        if (!is_final) return { again: new Date(deps.clock.now().getTime() + SOON_MS) };
        await settleFee(deps.db, operation, 'PAID', hash);
        return undefined;
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        return later(deps, send, error);
      }
    },
  });

async function pay({ db, vault, evm }: FeeDeps, send: Send): Promise<Executed> {
  const { operation, wallet_address, chain_id, token_contract, treasury, fee_units } = send;
  const { sender } = evm.chains[chain_id];
  const [address] = await managedAddresses(db, {}, { wallet_address, chain_id });
  if (!address) throw new Error(`The key for the fee of ${operation} is gone`);
  return sender.execute({
    signer: signerOf(vault, address),
    ...moveCall(token_contract, treasury, fee_units),
    reference: feeReference(operation),
    purpose: 'onchain fee',
    gasPricePoints: PLAIN_PRICE,
  });
}

/** When to try again; nothing once it is given up. */
async function later({ db, clock, log, evm }: FeeDeps, send: Send, error: ChainError) {
  const { operation, chain_id, created_at } = send;
  const now = clock.now().getTime();
  const in_ = (ms: number) => ({ again: new Date(now + ms) });
  if (error.kind === 'pending' || error.kind === 'unreachable') return in_(SOON_MS);
  const row = await evm.chains[chain_id].sender.find(feeReference(operation));
  if (row && !hasFailed(row)) return in_(SOON_MS);
  // What the chain has undone cannot be sent again under its name.
  const isOver = row !== undefined || now - Date.parse(created_at) > GIVE_UP_MS;
  if (!isOver) return in_(WHEN_SHORT_MS);
  await settleFee(db, operation, 'UNPAID', null);
  log.warn({ operation, chain: chain_id }, 'A platform fee was not paid');
  return undefined;
}
