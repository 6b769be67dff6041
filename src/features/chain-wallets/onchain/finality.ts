import { formatUnits } from 'viem';
import {
  type ChainKey,
  type ChainTransaction,
  type EvmNetwork,
  hasFailed,
  isConfirmed,
  lockByReference,
} from '#chains/evm/port.ts';
import {
  type PlatformFee,
  releaseHold,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { transact } from '#kernel/transact.ts';
import { decimal } from './decimal.ts';
import { emitSend } from './events.ts';
import { failLog, type LogRow, moveLog, putSentLog } from './log-store.ts';
import {
  byReference,
  failSend,
  findSend,
  moveSend,
  onchainFeeReference,
  type Send,
  sendReference,
  takeUnsettled,
} from './store.ts';

export type FinalityDeps = Pick<Kernel, 'db' | 'clock' | 'effects' | 'log'> & {
  readonly evm: EvmNetwork;
  readonly fee: PlatformFee;
};

/** Where a send stands, by the chain. */
export interface FinalityState {
  readonly row: ChainTransaction;
  /** Nothing before the chain has executed it for the first time. */
  readonly log?: LogRow | undefined;
}

/**
 * Writes down what the journal knows of a send that the chain has executed: CONFIRMED with its
 * confirmations, PENDING without them or when its block was dropped, FAILED when it never can happen.
 * Its end starts the claim to the fee. Any number of times, also at once; nothing when nothing was
 * signed. `isNews` where the chain has just done something with it.
 */
export async function followSends(
  deps: FinalityDeps,
  send: Send,
  isNews = false,
): Promise<FinalityState | undefined> {
  const { db, evm } = deps;
  const chain = evm.chains[send.chain_id];
  const reference = sendReference(send.operation);
  const seen = await chain.sender.find(reference);
  if (seen === undefined) return undefined;
  const isDeep = await isConfirmed(chain, seen);
  return transact(db, async (tx) => {
    const row = await lockByReference(tx, reference);
    if (row === undefined) return undefined;
    // What the chain said holds for the block that it was asked about.
    const isSame = row.hash === seen.hash && row.block_hash === seen.block_hash;
    const log = await storeSeen(deps, tx, send, { row, isDeep: isDeep && isSame, isNews });
    return { row, log };
  });
}

interface Seen {
  readonly row: ChainTransaction;
  /** With its confirmations. */
  readonly isDeep: boolean;
  /** The chain has just done something with it. */
  readonly isNews: boolean;
}

/** In the transaction that has the journal's row locked. Answers the record in the log. */
export async function storeSeen(
  deps: FinalityDeps,
  tx: Db,
  send: Send,
  { row, isDeep, isNews }: Seen,
): Promise<LogRow | undefined> {
  const { clock, effects, fee } = deps;
  const { operation, user_id, chain_id } = send;
  if (hasFailed(row)) {
    await giveUp(tx, send, 'It was reverted on chain');
    return undefined;
  }
  const at = clock.now();
  const status = isDeep ? 'CONFIRMED' : 'PENDING';
  const isFinal = isDeep && row.is_final;
  const moved = await moveSend(tx, operation, { status, isFinal, isNews, at });
  // No event says that its confirmations are final: an event has reported them already.
  const hasMoved = moved && (send.status !== status || (isNews && !isFinal));
  if (hasMoved) {
    const known = { status, failure: null, tx_hash: row.hash } as const;
    emitSend(tx, isDeep ? 'confirmed' : 'sent', send, known);
  }
  if (moved?.is_settled) await releaseHold(tx, [sendReference(operation)]);
  if (moved?.is_settled && moved.fee_status === 'DUE')
    await effects.begin(tx, fee, operation, { left: {} });
  const gas_fee = row.gas_fee === null ? null : formatUnits(row.gas_fee, 18);
  const known = { operation, user_id, chain_id, tx_hash: row.hash, status, gas_fee };
  const log = await moveLog(tx, { ...known, at: at.toISOString() });
  if (log || gas_fee === null || row.status !== 'CONFIRMED') return log;
  return putSentLog(tx, {
    ...known,
    gas_fee,
    client_id: send.client_id,
    bw_id: send.bw_id,
    wallet_name: send.wallet_name,
    wallet_label: send.wallet_label,
    token_symbol: send.token_symbol,
    token_contract: send.token_contract,
    amount: decimal(send.token_symbol, send.units),
    destination_wallet: send.destination,
    platform_fee: decimal(send.token_symbol, send.fee_units),
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  });
}

/** It never happened and never will: gives back what was set aside for it and its fee. */
export async function giveUp(tx: Db, send: Send, failure: string): Promise<void> {
  const { operation, chain_id, client_id, user_id } = send;
  if (!(await failSend(tx, operation, failure))) return;
  await giveBackLimits(tx, { operation, kind: 'send' });
  await releaseHold(tx, [sendReference(operation), onchainFeeReference(operation)]);
  await failLog(tx, operation);
  emitSend(tx, 'failed', send, { status: 'FAILED', failure });
  await logActivity(tx, {
    action: 'ONCHAIN_SEND_FAILED',
    actor: null,
    client_id,
    subject_user_id: user_id,
    details: { operation, chain_id, failure },
  });
}

/**
 * What the chains tell of sends and their fees. One that is not booked yet is its effect's: its job is
 * woken. What has been booked may still change until it is final.
 */
export async function onChange(
  deps: FinalityDeps,
  kind: string,
  { reference }: Pick<ChainTransaction, 'reference'>,
): Promise<void> {
  const { db, effects, fee } = deps;
  const which = byReference(reference);
  if (which === undefined) return;
  const { operation, isFee } = which;
  const wake = (of: string) => transact(db, (tx) => effects.wake(tx, of, operation));
  if ((await wake(isFee ? fee.kind : kind)) || isFee) return;
  const send = await findSend(db, operation);
  if (send) await followSends(deps, send, true);
}

const AT_ONCE = 100;

/** Looks for changes of the chains that no process of ours has heard of. */
export const followSchedule = (deps: FinalityDeps, checks: ChainChecks): Schedule =>
  defineSchedule({
    name: 'onchain.follow',
    cron: '* * * * *',
    async run({ signal }) {
      for (let found = AT_ONCE; found === AT_ONCE && !signal.aborted; ) {
        const due = await takeUnsettled(deps.db, deps.clock.now(), AT_ONCE);
        for (const send of due) if (!signal.aborted) await followQuietly(deps, checks, send);
        found = due.length;
      }
    },
  });

/** One that cannot be followed must not keep the others from it. */
async function followQuietly(deps: FinalityDeps, checks: ChainChecks, send: Send): Promise<void> {
  try {
    if (await checks.answers(send.chain_id)) await followSends(deps, send);
  } catch (err) {
    deps.log.warn({ operation: send.operation, err }, 'A send could not be followed');
  }
}

export interface ChainChecks {
  /**
   * Whether that chain answers, by a look at all transactions on their way, after which the journal
   * knows what the chain does. Made once for all who ask within some seconds: one that is away keeps
   * only the first waits.
   */
  answers(chain: ChainKey): Promise<boolean>;
}

const CHECK_LASTS_MS = 10_000;

/** A look at each chain now and then. */
export function createChainChecks({
  evm,
  clock,
  log,
}: Pick<FinalityDeps, 'evm' | 'clock' | 'log'>): ChainChecks {
  const checks = new Map<
    ChainKey,
    { readonly until: number; readonly answers: Promise<boolean> }
  >();
  return {
    answers(chain) {
      const now = clock.now().getTime();
      const known = checks.get(chain);
      if (known && known.until > now) return known.answers;
      const answers = evm.chains[chain].monitorOpen().then(
        () => true,
        (err: unknown) => {
          log.warn({ chain, err }, 'The open sends of a chain wait for it');
          return false;
        },
      );
      checks.set(chain, { until: now + CHECK_LASTS_MS, answers });
      return answers;
    },
  };
}
