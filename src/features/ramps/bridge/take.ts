import { mintTokenCall, transferCall } from '#chains/evm/contracts/port.ts';
import {
  type EvmChain,
  type ExecutedTransaction,
  hasFailed,
  lockByReference,
  type Signer,
} from '#chains/evm/port.ts';
import { userSigners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import {
  releaseHold,
  reserve,
  type Shortfall,
  sendOnce,
  toRefusal,
  toSpendingAppError,
  withConfirmations,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type EffectAttempt } from '#kernel/effects/effect.ts';
import { type Outcome, type Refusal, unknown } from '#kernel/effects/outcome.ts';
import { AppError, fail } from '#kernel/error.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import type { BridgeDeps, BridgePorts } from './deps.ts';
import { emitBridge } from './events.ts';
import { required } from './moves.ts';
import { bookTaken } from './postings.ts';
import { freeRouteDay } from './route-store.ts';
import { type BridgeRow, findBridge, moveBridge, writeStep } from './store.ts';

type Takes = BridgeDeps['takes'];

const HEAD_START_MS = 60_000;
const PAUSES = { firstMs: 5000, maxMs: 10 * 60_000 };

const takeReference = ({ object_id }: Pick<BridgeRow, 'object_id'>): string =>
  `bridge.take:${object_id}`;

/**
 * Takes the amount in on the near side, from the source to the treasury there, where no other transfer carries it.
 * It counts with its confirmations; before, a job may sign for the wallet, which its owner has named for that.
 */
export const takeEffect = (base: BridgePorts & { mints(tx: Db, row: BridgeRow): unknown }): Takes =>
  defineEffect<BridgeRow, ExecutedTransaction>({
    kind: 'bridge.take',
    provider: 'evm',
    repeatable: true,
    headStartMs: HEAD_START_MS,
    pauses: PAUSES,
    async open(db, object_id) {
      const row = await findBridge(db, { object_id });
      return row?.status === 'BURNING' ? row : undefined;
    },
    find: (db, object_id) => findBridge(db, { object_id }),
    names: (row) => [row.object_id, takeReference(row)],
    call: (row, attempt) => take(base, row, attempt),
    settle: (tx, row, value) => taken(base, tx, row, value),
    async refuse(tx, row, why) {
      const signed = await lockByReference(tx, takeReference(row));
      if (signed && !hasFailed(signed)) return false;
      await releaseHold(tx, [takeReference(row)]);
      await refused(base, tx, row, why);
      return true;
    },
  });

async function take(
  base: BridgePorts,
  row: BridgeRow,
  attempt: EffectAttempt,
): Promise<Outcome<ExecutedTransaction>> {
  const chain = base.evm.chains[row.from_chain];
  try {
    const reference = takeReference(row);
    const known = await chain.sender.find(reference);
    const payer = known
      ? await knownPayer(base, row, known)
      : await choosePayer(base, row, attempt);
    const outcome = await sendOnce(
      chain,
      { ...payer, reference, purpose: 'bridge take', permit: (tx) => attempt.permit(tx) },
      short,
    );
    if (outcome.kind === 'done') await seen(base.db, row, outcome.value);
    return await withConfirmations(chain, outcome);
  } catch (error) {
    const reported = toSpendingAppError(error, chain, short);
    if (!(reported instanceof AppError)) throw error;
    return reported.code === 'PROVIDER_UNAVAILABLE'
      ? unknown(reported.message, reported)
      : toRefusal(reported);
  }
}

/** For people: it is in a block, and does not count yet. */
const seen = (
  db: Db,
  { bridge_transfer_id, from_chain: chain }: BridgeRow,
  { hash, block_number: block }: ExecutedTransaction,
): Promise<void> =>
  writeStep(db, { bridge_transfer_id, name: 'burn', chain, state: 'PENDING', hash, block });

interface Payer {
  readonly signer: Signer;
  readonly to: `0x${string}`;
  readonly data?: `0x${string}`;
}

/** In mock mode the platform makes the tokens that the source does not have. */
const sponsored = (
  { evm }: BridgePorts,
  { contracts }: EvmChain,
  { amount }: BridgeRow,
): Payer => ({
  signer: evm.keys.hot,
  ...mintTokenCall(contracts.usdc, evm.keys.treasury.address, amount),
});

const bySource = (
  { evm }: BridgePorts,
  { contracts }: EvmChain,
  { amount }: BridgeRow,
  signer: Signer,
): Payer => ({ signer, ...transferCall(contracts.usdc, evm.keys.treasury.address, amount) });

async function knownPayer(
  base: BridgePorts,
  row: BridgeRow,
  { from_address }: { readonly from_address: string },
): Promise<Payer> {
  const chain = base.evm.chains[row.from_chain];
  if (from_address === base.evm.keys.hot.address) return sponsored(base, chain, row);
  return bySource(base, chain, row, await signerFor(base, row));
}

async function signerFor(
  { db, vault }: BridgePorts,
  { user_id, from_chain, source_address }: BridgeRow,
): Promise<Signer> {
  const signers = await userSigners(db, vault)(user_id, from_chain);
  const signer = signers.find(({ address }) => address === source_address);
  if (!signer) throw fail('WALLET_NOT_FOUND', 'The wallet is not there any more');
  return signer;
}

/** Sets aside what the source pays. Throws INSUFFICIENT_FUNDS. */
async function choosePayer(
  base: BridgePorts,
  row: BridgeRow,
  attempt: EffectAttempt,
): Promise<Payer> {
  const chain = base.evm.chains[row.from_chain];
  const payer = bySource(base, chain, row, await signerFor(base, row));
  const { signer: _, ...call } = payer;
  const { amount: units } = row;
  const spend = {
    reference: takeReference(row),
    token_contract: chain.contracts.usdc,
    units,
    call,
  };
  const place = { db: base.db, chain, address: payer.signer.address };
  const reserved = await reserve(place, [spend], async (tx) => {
    await attempt.permit(tx);
    return true;
  });
  if (reserved === 'unmanaged' || reserved === 'unwritten')
    throw fail('WALLET_NOT_FOUND', 'The wallet is not there any more');
  if ('held' in reserved) return payer;
  if (base.config.MOCK_MODE) return sponsored(base, chain, row);
  if ('fault' in reserved) throw toSpendingAppError(reserved.fault, chain, short);
  const { token_contract, required, available } = reserved.short;
  const asset = token_contract === 'native' ? chain.info.native : 'USDC';
  throw short({ asset, required, available });
}

const short = ({ asset }: Shortfall): AppError =>
  fail('INSUFFICIENT_FUNDS', `The source lacks ${asset}`);

/** Final: from now on it is owed, and minted on the far side. */
async function taken(
  base: BridgePorts & { mints(tx: Db, row: BridgeRow): unknown },
  tx: Db,
  row: BridgeRow,
  { hash, block_number: block }: ExecutedTransaction,
): Promise<void> {
  const { places } = base;
  const { bridge_transfer_id, from_chain: chain, to_chain } = row;
  await releaseHold(tx, [takeReference(row)]);
  const step = {
    bridge_transfer_id,
    chain,
    hash,
    block,
    confirmations: places.needed(chain),
  } as const;
  await writeStep(tx, { ...step, name: 'burn', state: 'DONE' });
  const filter = { bridge_transfer_id, status: 'BURNING' as const };
  await emitBridge(tx, required(await moveBridge(tx, filter, 'BURNED'), 'A taking'), places);
  await writeStep(tx, { ...step, name: 'attest', state: 'DONE' });
  const burnt = { bridge_transfer_id, status: 'BURNED' as const };
  const attested = await moveBridge(tx, burnt, 'ATTESTED', { is_burn_final: true });
  await emitBridge(tx, required(attested, 'An attestation'), places);
  const final = { bridge_transfer_id, status: 'ATTESTED' as const };
  const minting = required(await moveBridge(tx, final, 'MINTING'), 'A mint');
  await writeStep(tx, { bridge_transfer_id, name: 'mint', chain: to_chain, state: 'PENDING' });
  await base.mints(tx, minting);
  await emitBridge(tx, minting, places);
  await bookTaken(tx, minting);
}

/** Nothing left the source, and nothing will. */
async function refused(
  { clock, places }: BridgePorts,
  tx: Db,
  { bridge_transfer_id, operation, from_chain }: BridgeRow,
  { code, message }: Refusal,
): Promise<void> {
  const failure = { code, message, retryable: true, at: clock.now().toISOString() };
  const filter = { bridge_transfer_id, status: 'BURNING' as const };
  const row = required(await moveBridge(tx, filter, 'FAILED', { failure }), 'A refused taking');
  await writeStep(tx, { bridge_transfer_id, name: 'burn', chain: from_chain, state: 'FAILED' });
  await freeRouteDay(tx, bridge_transfer_id);
  await giveBackLimits(tx, { kind: 'bridge', operation });
  await emitBridge(tx, row, places);
}
