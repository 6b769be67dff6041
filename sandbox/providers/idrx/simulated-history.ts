import { randomBytes, randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import {
  amountOf,
  idrxUnitsOf,
  type MintRequest,
  type RedeemRequest,
} from '#providers/idrx/wire.ts';
import type { World } from '#sandbox/simulator.ts';
import { spoilStatement } from '#sandbox/statement-faults.ts';
import { simulatedIdrxPriceOf, type Way } from './ways-to-pay.ts';

export const SIMULATED_IDRX_PROVIDER = 'idrx';
export const SIMULATED_IDRX_PREFIX = '/idrx';

export const MINT = 'mint';
const REDEEM = 'redeem';

/** Issues the token on a test chain, of one reference once; answers the transaction's hash. */
export type Issue = (issue: {
  readonly chainId: number;
  readonly to: string;
  readonly units: bigint;
  readonly reference: string;
}) => Promise<string>;

export interface IdrxWorld extends World {
  readonly issue: Issue;
}

export interface SimulatedMint extends Static<typeof MintRequest> {
  readonly id: string;
  readonly merchantOrderId: string;
  readonly reference: string;
  readonly paymentUrl: string;
  /** What is to be paid, or was: theirs for the way that was picked comes on top. */
  readonly amount: string;
  readonly chainId: number;
  readonly paymentStatus: 'WAITING_FOR_PAYMENT' | 'PAID' | 'EXPIRED';
  readonly userMintStatus: 'NOT_AVAILABLE' | 'PROCESSING' | 'MINTED' | 'REJECTED';
  readonly txHash: string | null;
  readonly expiryTimestamp: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SimulatedRedeem {
  readonly id: string;
  readonly chainId: number;
  readonly txHash: string;
  readonly fromAddress: string;
  readonly amount: string;
  readonly bankName: string;
  readonly bankCode: string;
  readonly bankAccountNumber: string;
  readonly bankAccountName: string;
  readonly custRefNumber: string;
  readonly burnStatus: 'REQUESTED' | 'PROCESSED' | 'REJECTED';
  readonly notes: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Each request makes another: they know no repetition. */
export async function addMint(
  world: World,
  request: Static<typeof MintRequest>,
): Promise<SimulatedMint> {
  const now = world.clock.now();
  const merchantOrderId = randomBytes(9).toString('hex');
  const mint: SimulatedMint = {
    ...request,
    id: randomUUID(),
    merchantOrderId,
    reference: `SNAP-${merchantOrderId}`,
    paymentUrl: `${world.sandboxUrl()}${SIMULATED_IDRX_PREFIX}/checkout/${merchantOrderId}`,
    amount: request.toBeMinted,
    chainId: Number(request.networkChainId),
    paymentStatus: 'WAITING_FOR_PAYMENT',
    userMintStatus: 'NOT_AVAILABLE',
    txHash: null,
    expiryTimestamp: new Date(now.getTime() + request.expiryPeriod * 60_000).toISOString(),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
  await world.records.insert(SIMULATED_IDRX_PROVIDER, MINT, merchantOrderId, mint);
  return mint;
}

/** By their name of it. One whose time is over lapses as it is looked at. */
export async function simulatedIdrxMintOf(
  world: World,
  id: string,
): Promise<SimulatedMint | undefined> {
  const kept = await world.records.get<SimulatedMint>(SIMULATED_IDRX_PROVIDER, MINT, id);
  const now = world.clock.now().toISOString();
  const isOver = kept?.paymentStatus === 'WAITING_FOR_PAYMENT' && kept.expiryTimestamp <= now;
  return kept && isOver ? ((await expireMint(world, id)) ?? simulatedIdrxMintOf(world, id)) : kept;
}

/** By our reference, the newest of it. */
export async function mintOfReference(
  world: World,
  productDetails: string,
): Promise<SimulatedMint | undefined> {
  const { records } = world;
  const found = await records.find<SimulatedMint>(
    SIMULATED_IDRX_PROVIDER,
    MINT,
    'productDetails',
    productDetails,
  );
  return found && simulatedIdrxMintOf(world, found.merchantOrderId);
}

/** Nothing when it is not to be paid any more. */
export function expireMint({ records, clock }: World, id: string) {
  const updatedAt = clock.now().toISOString();
  return records.update<SimulatedMint>(SIMULATED_IDRX_PROVIDER, MINT, id, (mint) =>
    mint.paymentStatus === 'WAITING_FOR_PAYMENT'
      ? { ...mint, paymentStatus: 'EXPIRED', updatedAt }
      : undefined,
  );
}

/** Somebody pays by that way; the token follows. Nothing when it is not to be paid any more. */
export async function payMint(world: IdrxWorld, id: string, way: Way) {
  const updatedAt = world.clock.now().toISOString();
  const paid = await world.records.update<SimulatedMint>(
    SIMULATED_IDRX_PROVIDER,
    MINT,
    id,
    (mint) =>
      mint.paymentStatus === 'WAITING_FOR_PAYMENT'
        ? {
            ...mint,
            amount: simulatedIdrxPriceOf(mint, way),
            paymentStatus: 'PAID',
            userMintStatus: 'PROCESSING',
            updatedAt,
          }
        : undefined,
  );
  return paid && ((await finishMint(world, paid)) ?? paid);
}

/**
 * Issues the token for what was paid, and calls back once it is there; nothing while the chain is away,
 * or when somebody else was faster.
 */
export async function finishMint(
  world: IdrxWorld,
  mint: SimulatedMint,
): Promise<SimulatedMint | undefined> {
  const { merchantOrderId: id, chainId, destinationWalletAddress: to, toBeMinted } = mint;
  const issued = { chainId, to, units: idrxUnitsOf(toBeMinted), reference: `idrx:${id}` };
  const txHash = await world.issue(issued).catch(() => undefined);
  if (txHash === undefined) return undefined;
  const updatedAt = world.clock.now().toISOString();
  const minted = await world.records.update<SimulatedMint>(
    SIMULATED_IDRX_PROVIDER,
    MINT,
    id,
    (kept) =>
      kept.userMintStatus === 'PROCESSING'
        ? { ...kept, userMintStatus: 'MINTED', txHash, updatedAt }
        : undefined,
  );
  if (minted) void tellOnce(world, '/idrtoken/callback/payment', shownMint(minted));
  return minted;
}

/** Nothing when that burn has been redeemed before. */
export async function addRedeem(
  world: World,
  request: Static<typeof RedeemRequest>,
): Promise<SimulatedRedeem | undefined> {
  const moment = world.clock.now().toISOString();
  const redeem: SimulatedRedeem = {
    id: randomBytes(6).toString('hex'),
    chainId: Number(request.networkChainId),
    txHash: request.txHash,
    fromAddress: request.walletAddress,
    amount: request.amountTransfer,
    bankName: request.bankName,
    bankCode: request.bankCode,
    bankAccountNumber: request.bankAccount,
    bankAccountName: request.bankAccountName,
    custRefNumber: randomUUID(),
    burnStatus: 'REQUESTED',
    notes: request.notes,
    createdAt: moment,
    updatedAt: moment,
  };
  const isNew = await world.records.insert(
    SIMULATED_IDRX_PROVIDER,
    REDEEM,
    request.txHash.toLowerCase(),
    redeem,
  );
  return isNew ? redeem : undefined;
}

export const simulatedIdrxRedeemOf = ({ records }: World, reference: string) =>
  records.find<SimulatedRedeem>(SIMULATED_IDRX_PROVIDER, REDEEM, 'notes', reference);

/** The bank has it, or does not take it. Nothing when it has ended before. */
export async function endRedeem(
  world: World,
  { txHash }: SimulatedRedeem,
  burnStatus: 'PROCESSED' | 'REJECTED',
): Promise<(SimulatedRedeem & { readonly delivered: boolean }) | undefined> {
  const updatedAt = world.clock.now().toISOString();
  const id = txHash.toLowerCase();
  const ended = await world.records.update<SimulatedRedeem>(
    SIMULATED_IDRX_PROVIDER,
    REDEEM,
    id,
    (kept) => (kept.burnStatus === 'REQUESTED' ? { ...kept, burnStatus, updatedAt } : undefined),
  );
  if (ended === undefined) return undefined;
  return { ...ended, delivered: await tellOnce(world, '/idrtoken/callback/transfer', ended) };
}

/** Once, and without any proof of whose it is. */
export const tellOnce = (world: World, path: string, body: object): Promise<boolean> =>
  world.callbacks.deliver(SIMULATED_IDRX_PROVIDER, {
    url: `${world.serviceUrl()}${path}`,
    body,
    once: true,
  });

/** As their history and call-backs show it. */
export const shownMint = (mint: SimulatedMint) => ({
  ...mint,
  adminMintStatus: mint.userMintStatus,
  reportStatus: 'NONE',
  MintRequestTransactionFees: [],
  usdtRequest: null,
});

interface HistoryPage {
  readonly page: number;
  readonly take: number;
  readonly merchantOrderId?: string;
}

/**
 * A page of their history as it is answered: with what `POST /statements/idrx/faults` has spoilt, but for one that is
 * asked for by its name. They have no other statement.
 */
export async function toldHistory(
  world: IdrxWorld,
  type: 'MINT' | 'BURN',
  asked: HistoryPage,
): Promise<object[]> {
  const records = await historyOf(world, type, asked);
  if (asked.merchantOrderId !== undefined) return records;
  const more = (amount: string) => amountOf('IDR', idrxUnitsOf(amount) + 100n);
  if (type === 'BURN')
    return spoilStatement(world, SIMULATED_IDRX_PROVIDER, records as SimulatedRedeem[], {
      reference: ({ notes }) => notes,
      double: (redeem) => ({ ...redeem, id: `${redeem.id}-2` }),
      alter: (redeem) => ({ ...redeem, amount: more(redeem.amount) }),
    });
  return spoilStatement(world, SIMULATED_IDRX_PROVIDER, records as SimulatedMint[], {
    reference: ({ productDetails }) => productDetails,
    double: (mint) => ({ ...mint, merchantOrderId: `${mint.merchantOrderId}-2` }),
    alter: (mint) => ({ ...mint, amount: more(mint.amount) }),
  });
}

/** Newest first. */
async function historyOf(
  world: IdrxWorld,
  type: 'MINT' | 'BURN',
  { page, take, merchantOrderId }: HistoryPage,
): Promise<object[]> {
  const { records } = world;
  const limit = page * take;
  const from = (page - 1) * take;
  if (type === 'BURN') {
    const all = await records.list<SimulatedRedeem>(SIMULATED_IDRX_PROVIDER, REDEEM, { limit });
    return all.slice(from);
  }
  const where = merchantOrderId === undefined ? {} : { merchantOrderId };
  const all = await records.list<SimulatedMint>(SIMULATED_IDRX_PROVIDER, MINT, { limit, where });
  const shown = await Promise.all(
    all.slice(from).map((mint) => simulatedIdrxMintOf(world, mint.merchantOrderId)),
  );
  const mints = shown.filter((mint) => mint !== undefined);
  // What a chain was away for goes on when somebody looks.
  for (const mint of mints) if (mint.userMintStatus === 'PROCESSING') void finishMint(world, mint);
  return mints.map(shownMint);
}
