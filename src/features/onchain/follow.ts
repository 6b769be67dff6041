import { formatUnits } from 'viem';
import {
  type ChainTransaction,
  type EvmNetwork,
  hasFailed,
  isConfirmed,
  lockByReference,
} from '#chains/evm/port.ts';
import type { PlatformFee } from '#features/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { isAsset, SCALE } from '#kernel/money/money.ts';
import { failSend } from './give-up.ts';
import { sendReference } from './references.ts';
import { type LogRow, moveLog, moveSend, putSentLog, type Send } from './store.ts';

export type FollowDeps = Pick<Kernel, 'db' | 'clock' | 'effects'> & {
  readonly evm: EvmNetwork;
  readonly fee: PlatformFee;
};

/** Where a send stands, by the chain. */
export interface Standing {
  readonly row: ChainTransaction;
  /** Nothing before the chain has executed it for the first time. */
  readonly log?: LogRow | undefined;
}

/**
 * Writes down what the journal knows of a send: PENDING from its first receipt on, CONFIRMED with
 * its confirmations, PENDING again when its block was dropped, FAILED when it never can happen. Its
 * end starts the claim to the fee. Any number of times, also at once; nothing when nothing was signed.
 */
export async function follow(deps: FollowDeps, send: Send): Promise<Standing | undefined> {
  const { db, evm } = deps;
  const chain = evm.chains[send.chain_id];
  const reference = sendReference(send.operation);
  const seen = await chain.sender.find(reference);
  if (seen === undefined) return undefined;
  const isDeep = await isConfirmed(chain, seen);
  return transact(db, async (tx) => {
    const row = await lockByReference(tx, reference);
    if (row === undefined) return undefined;
    if (hasFailed(row)) {
      await failSend(tx, send.operation, 'The chain undid it');
      return { row };
    }
    // What the chain said holds for the block that it was asked about.
    const isSame = row.hash === seen.hash && row.block_hash === seen.block_hash;
    const status = isDeep && isSame ? 'CONFIRMED' : 'PENDING';
    return { row, log: await writeDown(deps, tx, send, { row, status }) };
  });
}

async function writeDown(
  { clock, effects, fee }: FollowDeps,
  tx: Db,
  send: Send,
  { row, status }: { readonly row: ChainTransaction; readonly status: 'PENDING' | 'CONFIRMED' },
): Promise<LogRow | undefined> {
  const { operation, user_id, chain_id } = send;
  const at = clock.now().toISOString();
  const isSettled = status === 'CONFIRMED' && row.is_final;
  const moved = await moveSend(tx, operation, status, isSettled);
  if (moved?.is_settled && moved.fee_status === 'DUE')
    await effects.begin(tx, fee, operation, { left: {} });
  const gas_fee = row.gas_fee === null ? null : formatUnits(row.gas_fee, 18);
  const known = { operation, user_id, chain_id, tx_hash: row.hash, status, gas_fee, at };
  const log = await moveLog(tx, known);
  if (log || gas_fee === null || row.status !== 'CONFIRMED') return log;
  return putSentLog(tx, {
    ...{ user_id, client_id: send.client_id, bw_id: send.bw_id, operation, chain_id, status },
    ...{ wallet_name: send.wallet_name, wallet_label: send.wallet_label, gas_fee },
    token_symbol: send.token_symbol,
    token_contract: send.token_contract,
    tx_hash: row.hash,
    amount: decimal(send.token_symbol, send.units),
    destination_wallet: send.destination,
    platform_fee: decimal(send.token_symbol, send.fee_units),
    created_at: at,
    updated_at: at,
  });
}

/** Without the zeros at the end, as the log has it. */
function decimal(symbol: string, units: bigint): string {
  if (!isAsset(symbol)) throw new Error(`${symbol} is nothing that we send`);
  return formatUnits(units, SCALE[symbol]);
}
