import { transferCall } from '#chains/evm/contracts/port.ts';
import type { ExecutedTransaction } from '#chains/evm/port.ts';
import type { LegPlace } from '#features/chain-wallets/crosschain/crosschain.ts';
import {
  type Shortfall,
  sendOnce,
  withConfirmations,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect, type EffectAttempt } from '#kernel/effects/effect.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { fail } from '#kernel/error.ts';
import type { BridgeDeps, BridgePorts } from './deps.ts';
import { emitBridge } from './events.ts';
import { attemptId, required } from './moves.ts';
import { bookAdvanced, bookBurnt, bookSent, carriedUnits } from './postings.ts';
import { type BridgeRow, editBridge, findBridge, moveBridge, writeStep } from './store.ts';

const PAUSES = { firstMs: 5000, maxMs: 10 * 60_000 };
const HEAD_START_MS = 60_000;

const objectOf = (id: string): string => id.split(':')[0] ?? id;
const attemptOf = (id: string): number => Number(id.split(':')[1]);

type Attests = Effect<BridgeRow, LegPlace>;

/** Waits until the burn is final and, where others attest it, attested. It has cost somebody a burn: never given up. */
export const attestEffect = (base: MoveDeps): Attests =>
  defineEffect<BridgeRow, LegPlace>({
    kind: 'bridge.attest',
    provider: 'evm',
    repeatable: true,
    // A burn that the chain dropped is made again, and attested again.
    reopens: true,
    headStartMs: HEAD_START_MS,
    pauses: PAUSES,
    async open(db, id) {
      const row = await findBridge(db, { object_id: objectOf(id) });
      const isWanted = row?.status === 'BURNED' || row?.status === 'STALLED';
      return isWanted && !row.is_burn_final ? row : undefined;
    },
    find: (db, id) => findBridge(db, { object_id: objectOf(id) }),
    names: ({ object_id }) => [object_id],
    call: ({ leg_id }) => base.legs.attest(leg_id),
    settle: (tx, row, place) => attested(base, tx, row, place),
    refuse: async () => false,
  });

type MoveDeps = Pick<BridgePorts, 'legs' | 'config'>;

/** Final: from now on it is owed, and minted. */
async function attested(
  { legs, config }: MoveDeps,
  tx: Db,
  { bridge_transfer_id, leg_id, from_chain, to_chain }: BridgeRow,
  place: LegPlace,
): Promise<void> {
  const needed = config.EVM_CONFIRMATIONS;
  // The leg is locked first, as by everything that moves both.
  await legs.beginMint(tx, leg_id);
  const burnt = { bridge_transfer_id, status: ['BURNED', 'STALLED'] as const };
  const changes = { is_burn_final: true, stalled_in: null };
  const seen = required(await moveBridge(tx, burnt, 'ATTESTED', changes), 'An attestation');
  const step = { bridge_transfer_id, chain: from_chain, state: 'DONE' } as const;
  await writeStep(tx, { ...step, name: 'burn', ...place, confirmations: needed });
  await writeStep(tx, { ...step, name: 'attest', ...place, confirmations: needed });
  await emitBridge(tx, seen, needed);
  const filter = { bridge_transfer_id, status: 'ATTESTED' as const };
  const minting = required(await moveBridge(tx, filter, 'MINTING'), 'A mint');
  await writeStep(tx, { bridge_transfer_id, name: 'mint', chain: to_chain, state: 'PENDING' });
  await emitBridge(tx, minting, needed);
  await bookBurnt(tx, minting);
}

type Pays = Effect<BridgeRow, ExecutedTransaction>;

/** From the treasury to the recipient, once. Once it is signed it is waited for, however long. */
export function sendEffect(base: BridgePorts): Pays {
  const { effects, config } = base;
  const sends: Pays = payment(base, {
    kind: 'bridge.send',
    column: 'send_attempt',
    isWanted: ({ status, is_minted }) =>
      is_minted && (status === 'SENDING' || status === 'STALLED'),
    payee: ({ to_chain, recipient_address }) => ({ chain: to_chain, to: recipient_address }),
    async settle(tx, { bridge_transfer_id, to_chain: chain }, { hash, block_number: block }) {
      const filter = {
        bridge_transfer_id,
        status: ['SENDING', 'STALLED'] as const,
        is_minted: true,
      };
      const completed_at = base.clock.now().toISOString();
      const changes = { completed_at, stalled_in: null };
      const row = required(await moveBridge(tx, filter, 'COMPLETED', changes), 'A payment');
      const confirmations = config.EVM_CONFIRMATIONS;
      const place = { hash, block, confirmations };
      await writeStep(tx, { bridge_transfer_id, name: 'send', chain, state: 'DONE', ...place });
      await emitBridge(tx, row, confirmations);
      await bookSent(tx, row);
    },
    next: (tx, id) => effects.begin(tx, sends, id, { left: {} }),
  });
  return sends;
}

/** From the treasury on the near side to the source, where two people have decided so. */
export function advanceEffect(base: BridgePorts): Pays {
  const { effects, config } = base;
  const advances: Pays = payment(base, {
    kind: 'bridge.advance',
    column: 'advance_attempt',
    isWanted: ({ status }) => status === 'ADVANCED',
    payee: ({ from_chain, source_address }) => ({ chain: from_chain, to: source_address }),
    async settle(tx, { bridge_transfer_id, from_chain: chain }, { hash, block_number: block }) {
      const filter = { bridge_transfer_id, status: 'ADVANCED' as const };
      const row = required(await editBridge(tx, filter, {}), 'A payment ahead');
      const place = { hash, block, confirmations: config.EVM_CONFIRMATIONS };
      await writeStep(tx, { bridge_transfer_id, name: 'advance', chain, state: 'DONE', ...place });
      await bookAdvanced(tx, row);
    },
    next: (tx, id) => effects.begin(tx, advances, id, { left: {} }),
  });
  return advances;
}

interface Payment {
  readonly kind: 'bridge.send' | 'bridge.advance';
  readonly column: 'send_attempt' | 'advance_attempt';
  isWanted(row: BridgeRow): boolean;
  payee(row: BridgeRow): {
    readonly chain: BridgeRow['to_chain'];
    readonly to: BridgeRow['recipient_address'];
  };
  settle(tx: Db, row: BridgeRow, value: ExecutedTransaction): Promise<void>;
  /** Begins the attempt of that id. */
  next(tx: Db, id: string): Promise<unknown>;
}

const payReference = (kind: string, id: string): string => `${kind}:${id}`;

/** A payment of the treasury that is owed: only a transaction that finally has no effect has a successor. */
const payment = (base: BridgePorts, of: Payment): Pays =>
  defineEffect<BridgeRow, ExecutedTransaction>({
    kind: of.kind,
    provider: 'evm',
    repeatable: true,
    headStartMs: HEAD_START_MS,
    pauses: PAUSES,
    async open(db, id) {
      const row = await findBridge(db, { object_id: objectOf(id) });
      return row && of.isWanted(row) ? { ...row, [of.column]: attemptOf(id) } : undefined;
    },
    find: (db, id) => findBridge(db, { object_id: objectOf(id) }),
    names: (row) => [payReference(of.kind, attemptId(row.object_id, row[of.column]))],
    call: (row, attempt) => pay(base, of, row, attempt),
    settle: (tx, row, value) => of.settle(tx, row, value),
    async refuse(tx, row) {
      const { bridge_transfer_id, object_id } = row;
      const attempt = row[of.column];
      const filter = { bridge_transfer_id, [of.column]: attempt };
      const next = required(
        await editBridge(tx, filter, { [of.column]: attempt + 1 }),
        'A refusal',
      );
      await of.next(tx, attemptId(object_id, next[of.column]));
      return true;
    },
  });

async function pay(
  { evm, legs }: BridgePorts,
  of: Payment,
  row: BridgeRow,
  attempt: EffectAttempt,
): Promise<Outcome<ExecutedTransaction>> {
  const payee = of.payee(row);
  const chain = evm.chains[payee.chain];
  const token = legs.tokenOf({ from_chain: payee.chain, to_chain: otherOf(row, payee.chain) });
  const reference = payReference(of.kind, attemptId(row.object_id, row[of.column]));
  const outcome = await sendOnce(
    chain,
    {
      signer: evm.keys.treasury,
      ...transferCall(token, payee.to, carriedUnits(row)),
      reference,
      purpose: of.kind === 'bridge.send' ? 'bridge send' : 'bridge advance',
      permit: (tx) => attempt.permit(tx),
    },
    lacking,
  );
  if (outcome.kind !== 'refused') return withConfirmations(chain, outcome);
  // The treasury may have the coins later: only what was signed and has ended without an effect has a successor.
  const signed = await chain.sender.find(reference);
  return signed ? outcome : unknown(outcome.message);
}

const otherOf = ({ from_chain, to_chain }: BridgeRow, chain: BridgeRow['to_chain']) =>
  chain === to_chain ? from_chain : to_chain;

const lacking = ({ asset }: Shortfall) =>
  fail('PROVIDER_UNAVAILABLE', `The treasury lacks ${asset}`, { retryAfter: 60 });

/** The effect that carries a transfer on from that status, if one does. */
export async function driveOn(
  { legs, effects, attests, sends }: BridgeDeps,
  { status, object_id, leg_id, send_attempt }: BridgeRow,
): Promise<boolean> {
  if (status === 'BURNED') await effects.drive(attests, attemptId(object_id, 1));
  else if (status === 'MINTING') await legs.driveMint(leg_id);
  else if (status === 'SENDING') await effects.drive(sends, attemptId(object_id, send_attempt));
  else return false;
  return true;
}
