import type { Address } from 'viem';
import { transferCall } from '#chains/evm/contracts/port.ts';
import {
  ChainError,
  type ChainKey,
  type ChainTransaction,
  type EvmChain,
  type EvmNetwork,
  hasFailed,
  isExecuted,
  mayHappen,
  type Signer,
} from '#chains/evm/port.ts';
import {
  managedAddresses,
  signerOf,
} from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect, type EffectAttempt } from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { sendOnce } from './chain-errors.ts';
import { releaseHold } from './holds-store.ts';

/** What the platform takes from the wallet that a send or a burn was paid from. */
export interface Fee {
  /** The journal's name of its transaction, under which it is set aside. */
  readonly reference: string;
  /** The same of the send or burn that it is for: nothing is taken before that is final. */
  readonly paidFor: string;
  readonly purpose: string;
  readonly chain_id: ChainKey;
  readonly wallet_address: Address;
  /** The contract's address, or `native`. */
  readonly token_contract: string;
  /** Smallest units of that token. */
  readonly units: bigint;
  readonly treasury: Address;
}

export interface FeeOwed extends Fee {
  /** Neither paid nor given up. */
  readonly isDue: boolean;
}

/** How it ended: with the hash of its transaction, or not at all. */
export type FeeEnd =
  | { readonly status: 'PAID'; readonly hash: string }
  | { readonly status: 'UNPAID' };

/** The owner of the fee: keeps what is owed, and is notified of its end. */
export interface FeeOwner {
  /** Names the effect, `platform-fee.<name>`. */
  readonly name: string;
  /** What is or was owed under that name. */
  find(db: Db, id: string): Promise<FeeOwed | undefined>;
  /** Writes down how it ended, in the transaction that ends it. */
  ended(tx: Db, id: string, fee: Fee, end: FeeEnd): Promise<void>;
}

interface Due extends Fee {
  readonly id: string;
}

/** `Signer`: of a wallet whose key is not kept, which pays in the request that has it, or never. */
export type PlatformFee = Effect<Due, ChainTransaction, Signer>;

type FeeDeps = Pick<Kernel, 'db' | 'vault' | 'clock' | 'log'> & { readonly evm: EvmNetwork };

/** Basis points: what the node asks for and no more, since no caller waits for a fee. */
const PLAIN_PRICE = 10_000n;
const MINUTE_MS = 60_000;
/** After that a wallet that cannot pay is left alone, and can be deleted again. */
const GIVE_UP_MS = 24 * 60 * MINUTE_MS;

/**
 * Takes the platform's fee, once. It was set aside, so it is there unless the wallet's owner has used
 * its words elsewhere; then it is asked for again for a day, and is UNPAID after that. Begun in the
 * transaction that makes it due, and left to its job.
 */
export function createPlatformFee(deps: FeeDeps, owner: FeeOwner): PlatformFee {
  return defineEffect<Due, ChainTransaction, Signer>({
    kind: `platform-fee.${owner.name}`,
    provider: 'evm',
    repeatable: true,
    // Owed again where a burn that was lost is made again.
    reopens: true,
    pauses: { firstMs: MINUTE_MS, maxMs: 15 * MINUTE_MS },
    async open(db, id) {
      const fee = await owner.find(db, id);
      return fee?.isDue ? { ...fee, id } : undefined;
    },
    async find(db, id) {
      const fee = await owner.find(db, id);
      return fee && { ...fee, id };
    },
    names: ({ reference, paidFor }) => [reference, paidFor],
    call: (fee, attempt) => collect(deps, fee, attempt),
    async settle(tx, fee, { hash }) {
      await owner.ended(tx, fee.id, fee, { status: 'PAID', hash });
      await releaseHold(tx, [fee.paidFor, fee.reference]);
    },
    async refuse(tx, fee) {
      if (await mayHappen(tx, fee.reference)) return false;
      await owner.ended(tx, fee.id, fee, { status: 'UNPAID' });
      await releaseHold(tx, [fee.paidFor, fee.reference]);
      deps.log.warn({ fee: fee.reference, chain: fee.chain_id }, 'A platform fee was not paid');
      return true;
    },
  });
}

async function collect(
  deps: FeeDeps,
  fee: Fee,
  attempt: EffectAttempt<Signer>,
): Promise<Outcome<ChainTransaction>> {
  const chain = deps.evm.chains[fee.chain_id];
  const known = await chain.sender.find(fee.reference);
  if (known) return endOf(await mined(chain, known));
  const signer = attempt.secret ?? (await managedSigner(deps, fee));
  if (signer === undefined) return refused('KEY_GONE', 'The wallet is not managed any more');
  // Nothing is taken for what a reorganisation may still undo, unless the key is there only now.
  if (attempt.secret === undefined) {
    const main = await chain.sender.find(fee.paidFor);
    if (main && hasFailed(main)) return refused('NOT_OWED', 'What it is for never happened');
    if (!main?.is_final) return unknown('What it is for is not final yet');
  }
  const outcome = await sendOnce(
    chain,
    {
      signer,
      ...moveCall(fee.token_contract, fee.treasury, fee.units),
      reference: fee.reference,
      purpose: fee.purpose,
      gasPricePoints: PLAIN_PRICE,
      permit: (tx) => attempt.permit(tx),
    },
    () => fail('INSUFFICIENT_FUNDS', 'Its owner has spent elsewhere what was set aside'),
  );
  if (outcome.kind === 'done') return endOf(outcome.value);
  if (outcome.kind === 'unknown' || attempt.secret) return outcome;
  return (await isOver(deps, fee, attempt)) ? outcome : unknown(outcome.message);
}

/** What the chain has undone cannot be sent again under its name; what was not sent, for a day. */
async function isOver(
  { clock, evm }: FeeDeps,
  { chain_id, reference }: Fee,
  { openedAt }: EffectAttempt<Signer>,
): Promise<boolean> {
  const isLate = clock.now().getTime() - openedAt.getTime() > GIVE_UP_MS;
  return isLate || (await evm.chains[chain_id].sender.find(reference)) !== undefined;
}

/** With its receipt, where that comes in time. */
const mined = ({ sender }: EvmChain, row: ChainTransaction): Promise<ChainTransaction> =>
  sender.awaitReceipt(row).catch((error: unknown) => {
    if (error instanceof ChainError) return row;
    throw error;
  });

/** Paid once no reorganisation can undo it. */
function endOf(row: ChainTransaction): Outcome<ChainTransaction> {
  if (hasFailed(row)) return refused('REVERTED', 'It was reverted on chain');
  return isExecuted(row) && row.is_final ? done(row) : unknown('It is not final yet');
}

async function managedSigner(
  { db, vault }: FeeDeps,
  { wallet_address, chain_id }: Fee,
): Promise<Signer | undefined> {
  const [address] = await managedAddresses(db, {}, { wallet_address, chain_id });
  return address && signerOf(vault, address);
}

/** The transaction that moves units of a token, or of the coin. */
export const moveCall = (
  token_contract: string,
  to: Address,
  units: bigint,
): { readonly to: Address; readonly data?: `0x${string}`; readonly value?: bigint } =>
  token_contract === 'native'
    ? { to, value: units }
    : transferCall(token_contract as Address, to, units);
