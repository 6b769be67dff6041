import { type Address, type Hex, keccak256 } from 'viem';
import { createBatcher } from '#kernel/db/batcher.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { broadcast, type ChainAccess, knows } from '../client.ts';
import { ChainError, chainFault } from '../fault.ts';
import type { ChainLog } from '../settings.ts';
import type { Signer } from '../signer.ts';
import {
  type ChainTransaction,
  committedWei,
  findByReference,
  insertSigned,
  lockLane,
  type NewChainTransaction,
  replaceSigned,
  withdraw,
} from './journal.ts';
import { greater, type Prepared } from './prepare.ts';

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
   * What it locks nobody changes before the journal has it.
   */
  readonly permit?: ((tx: Db) => Promise<void>) | undefined;
}

interface Entry {
  readonly outgoing: Outgoing;
  readonly prepared: Prepared;
}

/** The journal's row once it is sent, or why it never will be. */
type Answer = ChainTransaction | Error;

interface Signed {
  readonly entry: Entry;
  readonly row: ChainTransaction;
  readonly isNew: boolean;
}

/** What the chain says of an address before the lane's lock is taken. */
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

/** The signing lane of one address on one chain: here, and nowhere else, nonces are given out. */
export interface SigningQueue {
  /** Answers the journal's row once it is written and sent, or rejects knowing it never will be. */
  push(outgoing: Outgoing, prepared: Prepared): Promise<ChainTransaction>;
}

/**
 * Other processes have lanes for the same address. The row lock orders them; this queue only
 * spares the database's connections from waiting for each other within one process.
 */
export function createSigningQueue(lane: SigningQueueContext): SigningQueue {
  const batcher = (lookAgain?: LookAgain) =>
    createBatcher<Entry, ChainTransaction>({
      max: BATCH,
      many: (entries) => flush(lane, entries, lookAgain),
    });
  const ask = batcher(batcher());
  return { push: (outgoing, prepared) => ask({ outgoing, prepared }) };
}

type LookAgain = (entry: Entry) => Promise<ChainTransaction>;

/** `lookAgain` is asked for those that seem too expensive, unless this is that second look. */
async function flush(
  lane: SigningQueueContext,
  entries: readonly Entry[],
  lookAgain: LookAgain | undefined,
): Promise<Answer[]> {
  const standing = await accountStateOf(lane, lookAgain === undefined);
  const { signed, poor } = await transact(lane.db, (tx) => sign(lane, tx, entries, standing));
  const fresh = signed.filter(({ isNew }) => isNew);
  const refused = await sendAll(lane, fresh);
  const answers = new Map<Entry, Answer>(poor);
  for (const { entry, row } of signed) answers.set(entry, refused.get(row.transaction_id) ?? row);
  if (lookAgain) {
    const looked = async (entry: Entry) => answers.set(entry, await answerOf(lookAgain(entry)));
    await Promise.all([...poor.keys()].map(looked));
  }
  return entries.map((entry) => answers.get(entry) ?? new Error('Neither signed nor refused'));
}

const answerOf = (asked: Promise<ChainTransaction>): Promise<Answer> =>
  asked.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

/**
 * In order, the balance first: what is mined in between then makes the address look richer, never
 * poorer. All at once is quicker, and good enough where there is plenty.
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

/** Under the lock, without a word to anybody outside: nonces, signatures, rows. */
async function sign(
  lane: SigningQueueContext,
  tx: Db,
  entries: readonly Entry[],
  { known, mined, balance }: AccountState,
): Promise<{ signed: Signed[]; poor: Map<Entry, ChainError> }> {
  const { chainId } = lane.chain.info;
  const first = await lockLane(tx, chainId, lane.address, known);
  const asked = entries.map(({ outgoing }) => outgoing.reference);
  const rows = new Map((await findByReference(tx, asked)).map((row) => [row.reference, row]));

  // A node drops what cannot be paid when its turn comes, and all nonces behind it would wait.
  let left = balance - (await committedWei(tx, chainId, lane.address, mined));
  const fresh = new Map<string, NewChainTransaction>();
  const poor = new Map<Entry, ChainError>();
  for (const entry of entries) {
    const { outgoing, prepared } = entry;
    const { reference, value = 0n } = outgoing;
    if (rows.has(reference) || fresh.has(reference)) continue;
    const cost = value + prepared.maxGasFee;
    if (cost > left) {
      poor.set(entry, underfunded(cost, left));
      continue;
    }
    left -= cost;
    await outgoing.permit?.(tx);
    fresh.set(reference, await signOne(lane, outgoing, prepared, first + fresh.size));
  }
  if (fresh.size > 0) {
    const written = await insertSigned(tx, chainId, lane.address, [...fresh.values()]);
    for (const row of written) rows.set(row.reference, row);
  }
  const signed = entries
    .filter((entry) => !poor.has(entry))
    .map((entry) => {
      const row = rows.get(entry.outgoing.reference);
      if (row === undefined) throw new Error('A signed transaction was not written down');
      // Of several entries with the same reference the first one sends.
      return { entry, row, isNew: fresh.delete(row.reference) };
    });
  return { signed, poor };
}

const underfunded = (required: bigint, left: bigint): ChainError =>
  new ChainError('insufficient_funds', 'Not enough native coin beside what is on its way', {
    required,
    available: greater(left, 0n),
  });

async function signOne(
  lane: SigningQueueContext,
  { signer, to, data, value = 0n, purpose, reference }: Outgoing,
  { gas, gasPrice }: Pick<Prepared, 'gas' | 'gasPrice'>,
  nonce: number,
): Promise<NewChainTransaction> {
  const { chainId } = lane.chain.info;
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

/** Answers the refusals by transaction; whatever is unknown stays pending for the watchdog. */
async function sendAll(
  lane: SigningQueueContext,
  signed: readonly Signed[],
): Promise<Map<number, ChainError>> {
  const refused = new Map<number, ChainError>();
  // At once, which the client makes one request, in the order of the nonces.
  const send = async ({ row }: Signed): Promise<void> => {
    const fault = await sendOne(lane, row);
    if (fault) refused.set(row.transaction_id, fault);
  };
  await Promise.all(signed.map(send));
  // The last nonce first: only the highest can be given back as if it had never been taken.
  for (const { row, entry } of signed.toReversed())
    if (refused.has(row.transaction_id)) await giveBack(lane, row, entry);
  return refused;
}

/** Answers a fault only when the node refused for good. */
async function sendOne(
  lane: SigningQueueContext,
  row: ChainTransaction,
): Promise<ChainError | undefined> {
  try {
    await broadcast(await lane.chain.client(), row.raw);
    return undefined;
  } catch (error) {
    const fault = chainFault(error);
    const isRefused = fault.kind === 'insufficient_funds' || fault.kind === 'refused';
    // A repeated request may be refused because the first one got through.
    if (isRefused && !(await isKnown(lane, row))) return fault;
    lane.log.warn({ hash: row.hash, err: fault }, 'Unknown whether a transaction was sent');
    return undefined;
  }
}

/** In doubt it counts as known: then it stays in the journal, and the watchdog finds out. */
const isKnown = (lane: SigningQueueContext, { hash }: ChainTransaction): Promise<boolean> =>
  lane.chain
    .client()
    .then((client) => knows(client, hash))
    .catch(() => true);

/** Later transactions wait behind a nonce that nobody uses, so it is freed or filled. */
async function giveBack(
  lane: SigningQueueContext,
  row: ChainTransaction,
  { outgoing, prepared }: Entry,
): Promise<void> {
  const filler = await transact(lane.db, async (tx) => {
    const free = await lockLane(tx, row.chain_id, lane.address, 0);
    if (await withdraw(tx, row, free)) return undefined;
    const nothing: Outgoing = {
      signer: outgoing.signer,
      to: lane.address,
      purpose: 'filler',
      reference: `filler:${row.hash}`,
    };
    const { gasPrice } = prepared;
    const next = await signOne(lane, nothing, { gas: CANCEL_GAS, gasPrice }, row.nonce);
    return replaceSigned(tx, row, { ...next, is_filler: true });
  });
  if (filler === undefined) return;
  lane.log.warn(
    { hash: filler.hash, nonce: row.nonce },
    'Filled the nonce of a refused transaction',
  );
  await sendOne(lane, filler);
}
