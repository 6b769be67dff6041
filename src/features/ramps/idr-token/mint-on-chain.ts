import type { Hash } from 'viem';
import {
  ChainError,
  type ChainTransaction,
  findByReference,
  hasFailed,
  isConfirmed,
  mintTokenCall,
  proveTokenMint,
} from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { IdrBase } from './deps.ts';
import { holdPaid, type Mint, mintOf } from './mint-store.ts';
import { findIdrTokenPayment } from './payments.ts';

type Deps = Pick<IdrBase, 'db' | 'clock' | 'evm' | 'gateway' | 'log' | 'config'>;

/** The purchase is not to be minted any more: what was paid has been given back. */
export const WITHDRAWN = 'WITHDRAWN';

/** Names in the journal of the chain: there is one transaction of each, ever. */
const mintName = (reference: string, attempt: number): string =>
  `idr-mint:${reference}${attempt > 1 ? `:${attempt}` : ''}`;
const namesOf = (reference: string, attempts: number): string[] =>
  Array.from({ length: attempts }, (_, i) => mintName(reference, i + 1));

interface Minted {
  readonly hash: Hash;
}

/** Why the gateway that issues the token will not, although it was paid, by its own word. */
export interface NotIssued {
  readonly failure: string;
}

class Withdrawn extends Error {
  override readonly name = 'Withdrawn';
}

/**
 * Mints what was paid for. It has cost somebody money, so it is never given up: only a transaction that
 * has finally been reverted ends an attempt (`REVERTED`), and a refund the whole (`WITHDRAWN`).
 */
export async function mintTokens(
  deps: Deps,
  reference: string,
  attempt: number,
): Promise<Outcome<Minted | NotIssued>> {
  const mint = await mintOf(deps.db, reference);
  if (mint.status !== 'PAID') return withdrawn();
  if (deps.gateway.issuesToken) return mintedByGateway(deps, mint);
  const { sender, contracts } = deps.evm.chains[mint.chain_id];
  try {
    const row = await sender.send({
      signer: deps.evm.keys.hot,
      ...mintTokenCall(contracts.idr_token, mint.wallet_address, mint.amount_token),
      reference: mintName(reference, attempt),
      purpose: 'idr mint',
      async permit(tx) {
        if (!(await holdPaid(tx, mint.mint_id))) throw new Withdrawn();
      },
    });
    return await withReceipt(deps, mint, row);
  } catch (error) {
    if (error instanceof Withdrawn) return withdrawn();
    return inDoubt(error);
  }
}

const withdrawn = () => refused(WITHDRAWN, 'What was paid has been given back');

/** What the journal knows of it, and of the attempts before, which may have come through after all. */
export async function findMinting(
  deps: Deps,
  reference: string,
  attempt: number,
): Promise<Outcome<Minted | undefined>> {
  if (deps.gateway.issuesToken) return done(undefined);
  const mint = await mintOf(deps.db, reference);
  const row = await standing(deps.db, reference, attempt);
  if (row === undefined) return done(undefined);
  return withReceipt(deps, mint, row).catch(inDoubt);
}

/** The one that counts: what the chain has executed, else the last one. */
async function standing(
  db: Db,
  reference: string,
  attempt: number,
): Promise<ChainTransaction | undefined> {
  const names = namesOf(reference, attempt);
  const rows = await findByReference(db, names);
  return (
    rows.find(({ status }) => status === 'CONFIRMED') ??
    rows.find((row) => row.reference === names.at(-1))
  );
}

/** Whether a mint of it was signed that may still happen, or has. Asked under the purchase's lock. */
export async function isBeingMinted(db: Db, reference: string, attempts: number): Promise<boolean> {
  const rows = await findByReference(db, namesOf(reference, attempts));
  return rows.some((row) => !hasFailed(row));
}

async function withReceipt(
  { evm }: Deps,
  { chain_id }: Mint,
  row: ChainTransaction,
): Promise<Outcome<Minted>> {
  const ended = await evm.chains[chain_id].sender.awaitReceipt(row);
  if (ended.status === 'CONFIRMED') return done({ hash: ended.hash });
  if (hasFailed(ended)) return refused('REVERTED', 'The mint was reverted on chain');
  return unknown('The mint is not decided yet');
}

/** Whatever the chain refuses today it may take tomorrow: the minter has no coins, or it is away. */
function inDoubt(error: unknown): Outcome<never> {
  if (error instanceof ChainError) return unknown(`${error.kind}: ${error.message}`);
  throw error;
}

/** A gateway that issues the token names its transaction, and the chain says whether it is that. */
async function mintedByGateway(deps: Deps, mint: Mint): Promise<Outcome<Minted | NotIssued>> {
  const found = await findIdrTokenPayment(deps, mint.reference_id);
  if (found.kind !== 'done') return unknown('The gateway does not tell its mint');
  const { mintHash: hash, mintFailure } = found.value ?? {};
  if (mintFailure !== undefined) return done({ failure: mintFailure });
  if (hash === undefined) return unknown('The gateway has not minted yet');
  return proven(deps, mint, hash as Hash);
}

async function proven(deps: Deps, mint: Mint, hash: Hash): Promise<Outcome<Minted>> {
  const chain = deps.evm.chains[mint.chain_id];
  try {
    const proof = await proveTokenMint(chain, chain.contracts.idr_token, hash, {
      to: mint.wallet_address,
      units: mint.amount_token,
      confirmations: deps.config.EVM_CONFIRMATIONS,
    });
    return 'proven' in proof ? done({ hash }) : unknown(`The mint is ${proof.disproof} on chain`);
  } catch (error) {
    return inDoubt(error);
  }
}

/** How a mint stands that the chain has executed once. */
export type MintState = { readonly hash: Hash } | { readonly isLost: true };

/** With its confirmations, by the hash that it has now; lost where the chain has dropped it for good. */
export async function confirmMint(
  deps: Deps,
  reference: string,
  attempt: number,
): Promise<Outcome<MintState>> {
  const mint = await mintOf(deps.db, reference);
  if (mint.mint_tx_hash === null) throw new Error(`${reference} was never minted`);
  const row = await standing(deps.db, reference, attempt);
  if (row === undefined) return proven(deps, mint, mint.mint_tx_hash);
  if (hasFailed(row)) return done({ isLost: true });
  const isDeep = await isConfirmed(deps.evm.chains[mint.chain_id], row).catch(inDoubt);
  if (typeof isDeep !== 'boolean') return isDeep;
  return isDeep ? done({ hash: row.hash }) : unknown('The mint has too few confirmations');
}
