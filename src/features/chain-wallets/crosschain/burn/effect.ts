import { randomUUID } from 'node:crypto';
import { mintTokenCall } from '#chains/evm/contracts/port.ts';
import {
  ChainError,
  type ChainTransaction,
  hasFailed,
  lockByReference,
  type Signer,
} from '#chains/evm/port.ts';
import {
  fromRefusal,
  releaseHold,
  toRefusal,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { monotonicMs } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type EffectAttempt } from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { AppError } from '#kernel/error.ts';
import { transact } from '#kernel/transact.ts';
import { type CrosschainActor, noteStep } from '../audit.ts';
import type { BurnEffect, CrosschainBase, CrosschainDeps } from '../deps.ts';
import { toCrosschainAppError } from '../faults.ts';
import { findCrosschainTransfer } from '../read-store.ts';
import { alreadyBurned, burnUnderWay, logNotFound, notReady } from '../states.ts';
import {
  burnId,
  burnReference,
  type CrosschainTransfer,
  countBurn,
  findAttempt,
  holdsOf,
  lockTransfer,
  markBurned,
  recordBurner,
} from '../store.ts';
import { chooseGasPayer, type GasPayer, shortfallOf } from './gas-payer.ts';

/** How long a second caller waits to hear what became of the first one's burn. */
const WAIT_MS = 20_000;

export interface BurnOrder {
  readonly log_id: string;
  /** A repetition of the request goes on where it was. */
  readonly operation: string;
  readonly mode: 'backend' | 'frontend';
  /** The possible payers, in order of preference, with the way each of them signs. */
  readonly payers: readonly Signer[];
  readonly asked: CrosschainActor;
}

/**
 * INITIATED to BURNED by a transaction of ours (contract part 2, States). However many ask, one at a
 * time has the transfer; the others get its outcome, or take it next where there was none.
 */
export async function burn(deps: CrosschainDeps, order: BurnOrder): Promise<CrosschainTransfer> {
  const { operation: owner, payers: secret } = order;
  for (const since = monotonicMs(); ; ) {
    const begun = await transact(deps.db, (tx) => begin(deps, tx, order));
    if ('burnt' in begun) return begun.burnt;
    const { id, intent, isOwn } = begun;
    const patienceMs = Math.max(WAIT_MS - (monotonicMs() - since), 0);
    // Another one's burn is only looked up: who pays it was theirs to say.
    const own = isOwn ? { intent, secret } : {};
    const ending = await deps.effects.drive(deps.burns, id, { owner, patienceMs, ...own });
    if (ending.state === 'settled') return outcomeOfAttempt(deps, order);
    if (ending.state === 'open')
      throw isOwn && ending.details instanceof AppError ? ending.details : burnUnderWay();
    if (isOwn) throw fromRefusal(ending.why);
  }
}

type Begun =
  | { readonly burnt: CrosschainTransfer }
  | { readonly id: string; readonly intent: Intent | undefined; readonly isOwn: boolean };

/** Begins the burn, unless one is open: this request's, or that of another one. */
async function begin(
  { effects, burns, legs }: CrosschainDeps,
  tx: Db,
  { log_id, operation, mode, asked }: BurnOrder,
): Promise<Begun> {
  const transfer = await lockTransfer(tx, log_id);
  if (transfer === undefined) throw logNotFound();
  if (wasBurntBy(transfer, operation)) return { burnt: transfer };
  if (transfer.status !== 'INITIATED') throw alreadyBurned();
  const id = burnId(transfer);
  if (await isBurning({ effects }, tx, transfer))
    return { id, intent: undefined, isOwn: transfer.operation === operation };
  await recordBurner(tx, log_id, { operation, mode });
  await noteStep({ tx, legs }, 'CROSSCHAIN_BURN', transfer, { asked });
  return { id, intent: await effects.begin(tx, burns, id, { owner: operation }), isOwn: true };
}

/** A repetition of the request that burnt it gets the answer that the first one did not get. */
export const wasBurntBy = (transfer: CrosschainTransfer, operation: string): boolean =>
  transfer.burn_tx_hash !== null && transfer.operation === operation;

async function outcomeOfAttempt(
  { db }: CrosschainDeps,
  { log_id, operation }: BurnOrder,
): Promise<CrosschainTransfer> {
  const found = await findCrosschainTransfer(db, { log_id });
  if (found && wasBurntBy(found, operation)) return found;
  throw alreadyBurned();
}

/**
 * Whether a burn of ours may be on its way. Asked under the transfer's lock (`lockTransfer`), none
 * begins before the transaction ends.
 */
export async function isBurning(
  { effects }: Pick<CrosschainBase, 'effects'>,
  db: Db,
  transfer: CrosschainTransfer,
): Promise<boolean> {
  return (await effects.find(db, BURN, burnId(transfer)))?.state === 'OPEN';
}

const BURN = 'burn';
/** Longer than preparing and sending may take; what is sent already is found by its name. */
const HEAD_START_MS = 120_000;

/**
 * One attempt to burn, by transfer and attempt. Of all requests and jobs one at a time has it, and a
 * burn is signed in a transaction that holds that right: an attempt that was only slow neither burns
 * nor gives up what is another's by then. So who finds nothing in the journal knows that nothing was
 * sent: a repetition of the request sends it then, and anybody else sets the transfer free.
 */
export const createBurnEffect = (base: CrosschainBase, fees: CrosschainDeps['fees']): BurnEffect =>
  defineEffect<CrosschainTransfer, ChainTransaction, readonly Signer[]>({
    kind: BURN,
    provider: 'evm',
    repeatable: true,
    isExclusive: true,
    // A transfer that was set free is burnt under the same name, since nothing has it yet.
    reopens: true,
    headStartMs: HEAD_START_MS,
    open: (db, id) => findAttempt(db, 'burn_attempt', id),
    names: (transfer) => ['', ':sponsor'].map((step) => burnReference(transfer, step)),
    call: (transfer, attempt) => send(base, transfer, attempt),
    async lookUp(transfer) {
      const { sender } = base.evm.chains[transfer.from_chain];
      const row = await sender.find(burnReference(transfer));
      return row ? withReceipt(base, transfer, row) : done(undefined);
    },
    settle: (tx, transfer, row) => settle(base, fees, tx, { transfer, row }),
    async refuse(tx, transfer, { code, message }) {
      const row = await lockByReference(tx, burnReference(transfer));
      if (row && !hasFailed(row)) return false;
      if (row) await countBurn(tx, transfer);
      await releaseHold(tx, holdsOf(transfer));
      await noteStep({ tx, legs: base.legs }, 'CROSSCHAIN_BURN_REFUSED', transfer, {
        code,
        message,
      });
      return true;
    },
  });

async function send(
  base: CrosschainBase,
  transfer: CrosschainTransfer,
  attempt: EffectAttempt<readonly Signer[]>,
): Promise<Outcome<ChainTransaction>> {
  const secret = attempt.secret ?? (await signersOfLeg(base, transfer));
  if (secret === undefined)
    return refused('NOT_READY', 'The burn was given up before anything was sent');
  const chain = base.evm.chains[transfer.from_chain];
  let isSending = false;
  try {
    const permit = (tx: Db) => attempt.permit(tx);
    const payer = await chooseGasPayer(base, transfer, { secret, permit });
    await prepare(base, transfer, payer);
    const calls = base.bridgeRoutes[transfer.bridge_route].burnCalls(transfer);
    isSending = true;
    const row = await chain.sender.send({
      signer: payer.signer,
      ...calls.at(-1),
      // The first one was priced, of which the last may need what it did.
      quote: calls.length === 1 ? payer.quote : undefined,
      reference: burnReference(transfer),
      purpose: 'bridge burn',
      permit,
    });
    return await withReceipt(base, transfer, row);
  } catch (error) {
    const reported = toCrosschainAppError(error, chain);
    if (!(reported instanceof AppError)) throw error;
    return isSending && mayHaveBeenSent(error)
      ? unknown(reported.message, reported)
      : toRefusal(reported);
  }
}

/** The source of a bridge transfer is a managed wallet that its owner has named: the job may sign for it, too. */
async function signersOfLeg(
  { signersOf }: CrosschainBase,
  { bridge_transfer, user_id, from_chain, return_address }: CrosschainTransfer,
): Promise<readonly Signer[] | undefined> {
  if (bridge_transfer === null) return undefined;
  const signers = await signersOf(user_id, from_chain);
  return signers.filter(({ address }) => address === return_address);
}

const mayHaveBeenSent = (error: unknown): boolean =>
  error instanceof ChainError && ['pending', 'unreachable'].includes(error.kind);

/** What must be on chain before the burn: sponsored tokens, and an allowance where one is needed. */
async function prepare(
  { evm, bridgeRoutes }: CrosschainBase,
  transfer: CrosschainTransfer,
  { signer, isSponsored }: GasPayer,
): Promise<void> {
  const { sender } = evm.chains[transfer.from_chain];
  const route = bridgeRoutes[transfer.bridge_route];
  if (isSponsored && transfer.bridge_route === 'BRIDGE')
    await sender.execute({
      signer: evm.keys.hot,
      ...mintTokenCall(route.token(transfer), evm.keys.hot.address, transfer.units),
      reference: burnReference(transfer, ':sponsor'),
      purpose: 'bridge sponsor',
    });
  // At each try: another burn of the same wallet may have set or used the allowance since.
  for (const call of route.burnCalls(transfer).slice(0, -1))
    await sender.execute({
      signer,
      ...call,
      reference: burnReference(transfer, `:${randomUUID()}`),
      purpose: 'bridge allowance',
    });
}

/** Waits for the receipt of a burn that is in the journal. */
async function withReceipt(
  base: CrosschainBase,
  transfer: CrosschainTransfer,
  sent: ChainTransaction,
): Promise<Outcome<ChainTransaction>> {
  const chain = base.evm.chains[transfer.from_chain];
  try {
    const row = await chain.sender.awaitReceipt(sent);
    if (row.status === 'CONFIRMED') return done(row);
    const undecided = notReady('The burn is not decided yet');
    // Until that is final a reorganisation may still make it happen.
    if (!row.is_final) return unknown(undecided.message, undecided);
    // Other transfers may have used what was there when it was checked.
    const shortfall = await shortfallOf(base, transfer, { address: row.from_address }).catch(
      () => undefined,
    );
    return shortfall
      ? toRefusal(shortfall)
      : refused('PROVIDER_REJECTED', 'The burn was reverted on chain');
  } catch (error) {
    const reported = toCrosschainAppError(error, chain);
    if (!(reported instanceof AppError)) throw error;
    return unknown(reported.message, reported);
  }
}

async function settle(
  { clock, config, evm, effects, legs }: CrosschainBase,
  fees: CrosschainDeps['fees'],
  tx: Db,
  { transfer, row }: { readonly transfer: CrosschainTransfer; readonly row: ChainTransaction },
): Promise<void> {
  const { log_id, burn_mode } = transfer;
  const is_sponsored = row.from_address === evm.keys.hot.address;
  const isDeep = row.is_final || config.EVM_CONFIRMATIONS === 1;
  const burned = await markBurned(tx, log_id, {
    hash: row.hash,
    mode: burn_mode ?? 'backend',
    proof: isDeep ? 'CHAIN' : null,
    from: row.from_address,
    is_sponsored,
    fee_status: is_sponsored || config.MOCK_MODE ? 'NONE' : 'DUE',
    at: clock.now(),
  });
  if (burned === undefined) throw new Error(`${log_id} was burnt by us and is not INITIATED`);
  // A posted key is not kept: the request that has it pays before the job finds it missing.
  const isKept = burn_mode !== 'frontend';
  const left = isKept ? {} : { at: new Date(clock.now().getTime() + HEAD_START_MS) };
  // Where a fee is due, both holds stay until no reorganisation can bring the burn back to be paid.
  if (burned.fee_status === 'DUE') await effects.begin(tx, fees, log_id, { left });
  else await releaseHold(tx, holdsOf(transfer));
  await noteStep({ tx, legs }, 'CROSSCHAIN_BURNED', burned, { tx_hash: row.hash });
}
