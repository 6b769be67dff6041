import type { Address } from 'viem';
import { transferCall } from '#chains/evm/contracts/port.ts';
import { type ChainKey, type EvmChain, isChainKey } from '#chains/evm/port.ts';
import type { LegPlace } from '#features/chain-wallets/crosschain/crosschain.ts';
import {
  type Shortfall,
  sendOnce,
  withConfirmations,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { DonePayment, FarAddress } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect, type EffectAttempt } from '#kernel/effects/effect.ts';
import { type Outcome, type Refusal, unknown } from '#kernel/effects/outcome.ts';
import { fail } from '#kernel/error.ts';
import type { BridgeDeps, BridgePorts } from './deps.ts';
import { emitBridge } from './events.ts';
import { attemptId, required } from './moves.ts';
import type { BridgeChain } from './places.ts';
import { bookAdvanced, bookBurnt, bookSent, bookSentFar, carriedUnits } from './postings.ts';
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
    call: (row) => base.legs.attest(legOf(row)),
    settle: (tx, row, place) => attested(base, tx, row, place),
    refuse: async () => false,
  });

type MoveDeps = Pick<BridgePorts, 'legs' | 'places'>;

/** Final: from now on it is owed, and minted. */
async function attested(
  { legs, places }: MoveDeps,
  tx: Db,
  row: BridgeRow,
  place: LegPlace,
): Promise<void> {
  const { bridge_transfer_id, from_chain, to_chain } = row;
  // The leg is locked first, as by everything that moves both.
  await legs.beginMint(tx, legOf(row));
  const burnt = { bridge_transfer_id, status: ['BURNED', 'STALLED'] as const };
  const changes = { is_burn_final: true, stalled_in: null };
  const seen = required(await moveBridge(tx, burnt, 'ATTESTED', changes), 'An attestation');
  const confirmations = places.needed(from_chain);
  const step = { bridge_transfer_id, chain: from_chain, state: 'DONE', confirmations } as const;
  await writeStep(tx, { ...step, name: 'burn', ...place });
  await writeStep(tx, { ...step, name: 'attest', ...place });
  await emitBridge(tx, seen, places);
  const filter = { bridge_transfer_id, status: 'ATTESTED' as const };
  const minting = required(await moveBridge(tx, filter, 'MINTING'), 'A mint');
  await writeStep(tx, { bridge_transfer_id, name: 'mint', chain: to_chain, state: 'PENDING' });
  await emitBridge(tx, minting, places);
  await bookBurnt(tx, minting);
}

type Pays = Effect<BridgeRow, DonePayment>;

/** From the treasury to the recipient, once. Once it is signed it is waited for, however long. */
export function sendEffect(base: BridgePorts): Pays {
  const { effects, places } = base;
  const sends: Pays = payment(base, {
    kind: 'bridge.send',
    column: 'send_attempt',
    isWanted: ({ status, is_minted }) =>
      is_minted && (status === 'SENDING' || status === 'STALLED'),
    payee: ({ to_chain, recipient_address, recipient_tag: tag }) => ({
      chain: to_chain,
      to: { address: recipient_address, tag },
    }),
    async settle(tx, { bridge_transfer_id, to_chain: chain }, paid) {
      const filter = {
        bridge_transfer_id,
        status: ['SENDING', 'STALLED'] as const,
        is_minted: true,
      };
      const completed_at = base.clock.now().toISOString();
      const changes = { completed_at, stalled_in: null };
      const row = required(await moveBridge(tx, filter, 'COMPLETED', changes), 'A payment');
      const place = { hash: paid.hash, block: paid.block, confirmations: places.needed(chain) };
      await writeStep(tx, { bridge_transfer_id, name: 'send', chain, state: 'DONE', ...place });
      await emitBridge(tx, row, places);
      const ledger = places.ledger(chain);
      await (ledger ? bookSentFar(tx, row, { ledger, done: paid }) : bookSent(tx, row));
    },
    next: (tx, id) => effects.begin(tx, sends, id, { left: {} }),
  });
  return sends;
}

/** From the treasury on the near side to the source, where two people have decided so. */
export function advanceEffect(base: BridgePorts): Pays {
  const { effects, places } = base;
  const advances: Pays = payment(base, {
    kind: 'bridge.advance',
    column: 'advance_attempt',
    isWanted: ({ status }) => status === 'ADVANCED',
    payee: ({ from_chain, source_address }) => ({
      chain: from_chain,
      to: { address: source_address, tag: null },
    }),
    async settle(tx, { bridge_transfer_id, from_chain: chain }, { hash, block }) {
      const filter = { bridge_transfer_id, status: 'ADVANCED' as const };
      const row = required(await editBridge(tx, filter, {}), 'A payment ahead');
      const place = { hash, block, confirmations: places.needed(chain) };
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
    readonly chain: BridgeChain;
    readonly to: FarAddress;
  };
  settle(tx: Db, row: BridgeRow, value: DonePayment): Promise<void>;
  /** Begins the attempt of that id. */
  next(tx: Db, id: string): Promise<unknown>;
}

const payReference = (kind: string, id: string): string => `${kind}:${id}`;

/** A payment of the treasury that is owed: only a transaction that finally has no effect has a successor. */
const payment = (base: BridgePorts, of: Payment): Pays =>
  defineEffect<BridgeRow, DonePayment>({
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
  base: BridgePorts,
  of: Payment,
  row: BridgeRow,
  attempt: EffectAttempt,
): Promise<Outcome<DonePayment>> {
  const { chain: name, to } = of.payee(row);
  const reference = payReference(of.kind, attemptId(row.object_id, row[of.column]));
  const units = carriedUnits(row);
  const ledger = base.places.ledger(name);
  if (ledger || !isChainKey(name)) return orMissing(ledger?.make({ reference, units, to }));
  const chain = base.evm.chains[name];
  const outcome = await sendOnce(
    chain,
    {
      signer: base.evm.keys.treasury,
      ...transferCall(tokenOn(base, row, name), to.address as Address, units),
      reference,
      purpose: of.kind === 'bridge.send' ? 'bridge send' : 'bridge advance',
      permit: (tx) => attempt.permit(tx),
    },
    lacking,
  );
  if (outcome.kind === 'unknown') return outcome;
  if (outcome.kind === 'refused') return orUnknown(chain, reference, outcome);
  const paid = await withConfirmations(chain, outcome);
  if (paid.kind !== 'done') return paid;
  const { hash, block_number: block } = paid.value;
  return { kind: 'done', value: { hash, block } };
}

const orMissing = async (made: Promise<Outcome<DonePayment>> | undefined) =>
  made ?? unknown('There is no such ledger');

/** The treasury may have the coins later: only what was signed and has ended without an effect has a successor. */
async function orUnknown(
  { sender }: EvmChain,
  reference: string,
  refusal: Refusal,
): Promise<Outcome<never>> {
  return (await sender.find(reference)) ? refusal : unknown(refusal.message);
}

/** What moves on that chain: of a leg its own token. */
function tokenOn({ evm, legs }: BridgePorts, row: BridgeRow, chain: ChainKey): Address {
  const other = chain === row.to_chain ? row.from_chain : row.to_chain;
  return isChainKey(other)
    ? legs.tokenOf({ from_chain: chain, to_chain: other })
    : evm.chains[chain].contracts.usdc;
}

const lacking = ({ asset }: Shortfall) =>
  fail('PROVIDER_UNAVAILABLE', `The treasury lacks ${asset}`, { retryAfter: 60 });

/** The transfer that carries it. */
function legOf({ object_id, leg_id }: BridgeRow): string {
  if (leg_id === null) throw new Error(`${object_id} is carried by no other transfer`);
  return leg_id;
}

/** The effect that carries a transfer on from that status, if one does. */
export async function driveOn(deps: BridgeDeps, row: BridgeRow): Promise<boolean> {
  const { legs, effects, attests, mints, sends } = deps;
  const { status, object_id, leg_id, send_attempt, mint_attempt } = row;
  if (status === 'BURNED') await effects.drive(attests, attemptId(object_id, 1));
  else if (status === 'MINTING')
    await (leg_id === null
      ? effects.drive(mints, attemptId(object_id, mint_attempt))
      : legs.driveMint(leg_id));
  else if (status === 'SENDING') await effects.drive(sends, attemptId(object_id, send_attempt));
  else return false;
  return true;
}
