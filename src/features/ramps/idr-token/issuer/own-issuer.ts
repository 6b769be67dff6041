import { mintTokenCall } from '#chains/evm/contracts/port.ts';
import {
  type ChainTransaction,
  findByReference,
  hasFailed,
  isConfirmed,
} from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import { lockIfPaid, type Mint } from '../purchase/store.ts';
import { type IssuedTokens, type IssuerDeps, type TokenIssuer, withdrawn } from './issuer.ts';
import { chainUnknown, proveMint } from './mint-proof.ts';

/** Names in the journal of the chain: there is one transaction of each, ever. */
const mintName = (reference: string, attempt: number): string =>
  `idr-mint:${reference}${attempt > 1 ? `:${attempt}` : ''}`;
const namesOf = ({ reference_id }: Mint, attempts: number): string[] =>
  Array.from({ length: attempts }, (_, i) => mintName(reference_id, i + 1));

class Withdrawn extends Error {
  override readonly name = 'Withdrawn';
}

/** The platform's own contract issues the token, and its gateway takes and pays the rupiah. */
export const ownIssuer = (deps: IssuerDeps): TokenIssuer => ({
  requestPayment: (_, request) => deps.gateway.createPayment(request),
  isPrice: ({ total_amount_idr }, units) => units === total_amount_idr,
  ownFee: (fee) => fee,
  mint: (mint, attempt) => mintTokens(deps, mint, attempt),
  async findMint(mint, attempt) {
    const row = await latestMint(deps.db, mint, attempt);
    return row ? withReceipt(deps, mint, row).catch(chainUnknown) : done(undefined);
  },
  async isMinting(tx, mint, attempt) {
    const rows = await findByReference(tx, namesOf(mint, attempt));
    return rows.some((row) => !hasFailed(row));
  },
  mintsAnyAmount: true,
  takenOf: (_, price) => price,
  backedOn: Object.values(deps.evm.chains),
});

async function mintTokens(
  deps: IssuerDeps,
  mint: Mint,
  attempt: number,
): Promise<Outcome<IssuedTokens>> {
  const { sender, contracts } = deps.evm.chains[mint.chain_id];
  try {
    const row = await sender.send({
      signer: deps.evm.keys.hot,
      ...mintTokenCall(contracts.idr_token, mint.wallet_address, mint.amount_token),
      reference: mintName(mint.reference_id, attempt),
      purpose: 'idr mint',
      async permit(tx) {
        if (!(await lockIfPaid(tx, mint.mint_id))) throw new Withdrawn();
      },
    });
    return await withReceipt(deps, mint, row);
  } catch (error) {
    return error instanceof Withdrawn ? withdrawn() : chainUnknown(error);
  }
}

/** The one that counts: what the chain has executed, else the last attempt. */
async function latestMint(
  db: Db,
  mint: Mint,
  attempt: number,
): Promise<ChainTransaction | undefined> {
  const names = namesOf(mint, attempt);
  const rows = await findByReference(db, names);
  return (
    rows.find(({ status }) => status === 'CONFIRMED') ??
    rows.find((row) => row.reference === names.at(-1))
  );
}

async function withReceipt(
  { evm }: IssuerDeps,
  { chain_id }: Mint,
  row: ChainTransaction,
): Promise<Outcome<IssuedTokens>> {
  const ended = await evm.chains[chain_id].sender.awaitReceipt(row);
  if (ended.status === 'CONFIRMED') return done({ hash: ended.hash });
  if (hasFailed(ended)) return refused('REVERTED', 'The mint was reverted on chain');
  return unknown('The mint is not decided yet');
}

/** The state of a mint that the chain has executed once. */
export type MintState = IssuedTokens | { readonly isLost: true };

/** With its confirmations, by its present hash; lost where the chain has dropped it for good. */
export async function confirmMint(
  deps: IssuerDeps,
  mint: Mint,
  attempt: number,
): Promise<Outcome<MintState>> {
  if (mint.mint_tx_hash === null) throw new Error(`${mint.reference_id} was never minted`);
  const row = await latestMint(deps.db, mint, attempt);
  // A vendor's mint is in no journal of ours.
  if (row === undefined) return proveMint(deps, mint, mint.mint_tx_hash);
  if (hasFailed(row)) return done({ isLost: true });
  const isDeep = await isConfirmed(deps.evm.chains[mint.chain_id], row).catch(chainUnknown);
  if (typeof isDeep !== 'boolean') return isDeep;
  return isDeep ? done({ hash: row.hash }) : unknown('The mint has too few confirmations');
}
