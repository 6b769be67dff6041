import { type Address, type Hex, keccak256 } from 'viem';
import { createBatcher } from '#kernel/batcher.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { broadcast, type ChainAccess, knows } from '../client.ts';
import { ChainError, chainFault } from '../fault.ts';
import type { ChainLog } from '../settings.ts';
import type { Signer } from '../signer.ts';
import {
  type ChainTransaction,
  committedWei,
  findByReference,
  insertSignedEvm,
  lockQueue,
  lockUnsent,
  type NewChainTransaction,
  replaceSigned,
  withdraw,
} from './journal.ts';
import { greater, type PreparedTransaction } from './prepare.ts';

export interface Outgoing {
  readonly signer: Signer;
  readonly to?: Address | undefined;
  readonly data?: Hex | undefined;
  readonly value?: bigint | undefined;
  /** The caller's name for it, unique for ever: asked again, the same transaction is answered. */
  readonly reference: string;
  readonly purpose: string;
  /**
   * Asked in the transaction that writes a new signature down, and throws where there must be none.
   * What it locks stays as it is until the journal has the signature.
   */
  readonly permit?: ((tx: Db) => Promise<void>) | undefined;
}

interface Entry {
  readonly outgoing: Outgoing;
  readonly prepared: PreparedTransaction;
}

/** The journal's row once it is sent, or why it never will be. */
type Answer = ChainTransaction | Error;

interface Signed {
  readonly entry: Entry;
  readonly row: ChainTransaction;
  readonly isNew: boolean;
}

/** What the chain says of an address before the queue's lock is taken. */
interface AccountState {
  /** Transactions that it knows of, mined or not: no nonce may be below that. */
  readonly known: number;
  readonly mined: number;
  /** Wei. */
  readonly balance: bigint;
}

/** Signed and written down together; more would only make the first one wait. */
const BATCH = 25;
const CANCEL_GAS = 21_000n;

interface SigningQueueContext {
  readonly db: Db;
  readonly chain: ChainAccess;
  readonly address: Address;
  readonly log: ChainLog;
}

/** Hands out the nonces of one address on one chain; nothing else does. */
export interface SigningQueue {
  /** Answers the journal's row once it is written and sent, or rejects knowing it never will be. */
  push(outgoing: Outgoing, prepared: PreparedTransaction): Promise<ChainTransaction>;
}

/**
 * Other processes have queues for the same address. The row lock orders them; this queue only
 * spares the database's connections from waiting for each other within one process.
 */
export function createSigningQueue(queue: SigningQueueContext): SigningQueue {
  const batcher = (lookAgain?: LookAgain) =>
    createBatcher<Entry, ChainTransaction>({
      max: BATCH,
      many: (entries) => flush(queue, entries, lookAgain),
    });
  const ask = batcher(batcher());
  return { push: (outgoing, prepared) => ask({ outgoing, prepared }) };
}

type LookAgain = (entry: Entry) => Promise<ChainTransaction>;

/** `lookAgain` is asked for those that seem too expensive, unless this is that second look. */
async function flush(
  queue: SigningQueueContext,
  entries: readonly Entry[],
  lookAgain: LookAgain | undefined,
): Promise<Answer[]> {
  const standing = await accountStateOf(queue, lookAgain === undefined);
  const { signed, unaffordable } = await transact(queue.db, (tx) =>
    sign(queue, tx, entries, standing),
  );
  const fresh = signed.filter(({ isNew }) => isNew);
  const refused = await sendAll(queue, fresh);
  const answers = new Map<Entry, Answer>(unaffordable);
  for (const { entry, row } of signed) answers.set(entry, refused.get(row.transaction_id) ?? row);
  if (lookAgain) {
    const looked = async (entry: Entry) => answers.set(entry, await answerOf(lookAgain(entry)));
    await Promise.all([...unaffordable.keys()].map(looked));
  }
  return entries.map((entry) => answers.get(entry) ?? new Error('Neither signed nor refused'));
}

const answerOf = (asked: Promise<ChainTransaction>): Promise<Answer> =>
  asked.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

/**
 * In order, the balance first: what is mined in between then makes the balance look higher, never
 * lower. All at once is quicker, and good enough where there is plenty.
 */
async function accountStateOf(
  { chain, address }: SigningQueueContext,
  inOrder: boolean,
): Promise<AccountState> {
  try {
    const client = await chain.client();
    const reading = client.getBalance({ address });
    if (inOrder) await reading;
    const count = (blockTag: 'pending' | 'latest') =>
      client.getTransactionCount({ address, blockTag });
    const [balance, known, mined] = await Promise.all([reading, count('pending'), count('latest')]);
    return { known, mined, balance };
  } catch (error) {
    throw chainFault(error);
  }
}

/** Under the lock, without any call to the chain: nonces, signatures, rows. */
async function sign(
  queue: SigningQueueContext,
  tx: Db,
  entries: readonly Entry[],
  { known, mined, balance }: AccountState,
): Promise<{ signed: Signed[]; unaffordable: Map<Entry, ChainError> }> {
  const { chainId } = queue.chain.info;
  const first = await lockQueue(tx, chainId, queue.address, known);
  const asked = entries.map(({ outgoing }) => outgoing.reference);
  const rows = new Map((await findByReference(tx, asked)).map((row) => [row.reference, row]));

  // A node drops what cannot be paid when its turn comes, and all nonces behind it would wait.
  let left = balance - (await committedWei(tx, chainId, queue.address, mined));
  const fresh = new Map<string, NewChainTransaction>();
  const unaffordable = new Map<Entry, ChainError>();
  for (const entry of entries) {
    const { outgoing, prepared } = entry;
    const { reference, value = 0n } = outgoing;
    if (rows.has(reference) || fresh.has(reference)) continue;
    const cost = value + prepared.maxGasFee;
    if (cost > left) {
      unaffordable.set(entry, underfunded(cost, left));
      continue;
    }
    left -= cost;
    await outgoing.permit?.(tx);
    fresh.set(reference, await signOne(queue, outgoing, prepared, first + fresh.size));
  }
  if (fresh.size > 0) {
    const written = await insertSignedEvm(tx, chainId, queue.address, [...fresh.values()]);
    for (const row of written) rows.set(row.reference, row);
  }
  const signed = entries
    .filter((entry) => !unaffordable.has(entry))
    .map((entry) => {
      const row = rows.get(entry.outgoing.reference);
      if (row === undefined) throw new Error('A signed transaction was not written down');
      // Of several entries with the same reference the first one sends.
      return { entry, row, isNew: fresh.delete(row.reference) };
    });
  return { signed, unaffordable };
}

const underfunded = (required: bigint, left: bigint): ChainError =>
  new ChainError('insufficient_funds', 'Not enough native coin beside what is on its way', {
    required,
    available: greater(left, 0n),
  });

async function signOne(
  queue: SigningQueueContext,
  { signer, to, data, value = 0n, purpose, reference }: Outgoing,
  { gas, gasPrice }: Pick<PreparedTransaction, 'gas' | 'gasPrice'>,
  nonce: number,
): Promise<NewChainTransaction> {
  const { chainId } = queue.chain.info;
  const raw = await signer.sign({
    type: 'legacy',
    chainId,
    nonce,
    gasPrice,
    gas,
    to,
    data,
    value,
  });
  return { nonce, hash: keccak256(raw), raw, gas_price: gasPrice, purpose, reference };
}

/** Answers the refusals by transaction; what is unknown stays pending for the monitor. */
async function sendAll(
  queue: SigningQueueContext,
  signed: readonly Signed[],
): Promise<Map<number, ChainError>> {
  const refused = new Map<number, ChainError>();
  // At once, which the client makes one request, in the order of the nonces.
  const send = async ({ row }: Signed): Promise<void> => {
    const fault = await sendOne(queue, row);
    if (fault) refused.set(row.transaction_id, fault);
  };
  await Promise.all(signed.map(send));
  // The last nonce first: only the highest can be given back as if it had never been taken.
  for (const { row, entry } of signed.toReversed())
    if (refused.has(row.transaction_id) && !(await giveBack(queue, row, entry)))
      refused.delete(row.transaction_id);
  return refused;
}

/** Answers a fault only when the node refused for good. */
async function sendOne(
  queue: SigningQueueContext,
  row: ChainTransaction,
): Promise<ChainError | undefined> {
  try {
    await broadcast(await queue.chain.client(), row.raw);
    return undefined;
  } catch (error) {
    const fault = chainFault(error);
    const isRefused = fault.kind === 'insufficient_funds' || fault.kind === 'refused';
    // A repeated request may be refused because the first one got through.
    if (isRefused && !(await isKnown(queue, row))) return fault;
    queue.log.warn({ hash: row.hash, err: fault }, 'Unknown whether a transaction was sent');
    return undefined;
  }
}

/** In doubt it counts as known: then it stays in the journal, and the monitor finds out. */
const isKnown = (queue: SigningQueueContext, { hash }: ChainTransaction): Promise<boolean> =>
  queue.chain
    .client()
    .then((client) => knows(client, hash))
    .catch(() => true);

/**
 * Later transactions wait behind an unused nonce, so it is given back or cancelled. Answers false where
 * the monitor has sent it meanwhile: whether it was refused is unknown then.
 */
async function giveBack(
  queue: SigningQueueContext,
  row: ChainTransaction,
  { outgoing, prepared }: Entry,
): Promise<boolean> {
  const cancelling = await transact(queue.db, async (tx) => {
    const free = await lockQueue(tx, row.chain_id, queue.address, 0);
    if (!(await lockUnsent(tx, row))) return 'sent';
    if (await withdraw(tx, row, free)) return undefined;
    const nothing: Outgoing = {
      signer: outgoing.signer,
      to: queue.address,
      purpose: 'filler',
      reference: `filler:${row.hash}`,
    };
    const { gasPrice } = prepared;
    const next = await signOne(queue, nothing, { gas: CANCEL_GAS, gasPrice }, row.nonce);
    return replaceSigned(tx, row, { ...next, is_filler: true });
  });
  if (cancelling === 'sent') return false;
  if (cancelling === undefined) return true;
  queue.log.warn(
    { hash: cancelling.hash, nonce: row.nonce },
    'Cancelled the nonce of a refused transaction',
  );
  await sendOne(queue, cancelling);
  return true;
}
