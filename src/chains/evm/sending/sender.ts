import { type Address, getAddress, type Hash, parseTransaction } from 'viem';
import type { Db } from '#kernel/db/db.ts';
import type { ChainAccess } from '../client.ts';
import { ChainError } from '../fault.ts';
import { type ChainLog, SENDER_DEFAULTS, type SenderSettings } from '../settings.ts';
import { type ChainTransaction, findByReference } from './journal.ts';
import { type EvmCall, type PreparedTransaction, prepareTransaction } from './prepare.ts';
import { createSigningQueue, type Outgoing, type SigningQueue } from './signing-queue.ts';
import { createTracker, type Tracker } from './tracker.ts';

export interface SendRequest extends Outgoing {
  readonly gasPricePoints?: bigint | undefined;
  /** Of this very call, just now: then it is not simulated and priced again. */
  readonly quote?: PreparedTransaction | undefined;
}

/** A transaction with its receipt: executed, not reverted. */
export interface ExecutedTransaction extends ChainTransaction {
  readonly status: 'CONFIRMED';
  readonly block_number: number;
  readonly block_hash: Hash;
  readonly gas_used: number;
  readonly gas_fee: bigint;
}

/** Sends transactions on one chain, each once, also over crashes and time-outs. */
export interface Sender {
  /** Simulates and prices a call without sending it. */
  quote(call: EvmCall): Promise<PreparedTransaction>;
  /** Signed, written down and sent. The same reference answers the same transaction. */
  send(request: SendRequest): Promise<ChainTransaction>;
  /** Waits for the receipt. Throws `pending` when it takes longer than the setting allows. */
  awaitReceipt(row: ChainTransaction): Promise<ChainTransaction>;
  /** The same, and throws `reverted` when the chain undid it, `refused` when its nonce was lost. */
  finish(row: ChainTransaction): Promise<ExecutedTransaction>;
  /** Sends, and sees to its end. */
  execute(request: SendRequest): Promise<ExecutedTransaction>;
  /** What became of a reference, as far as the journal knows. */
  find(reference: string): Promise<ChainTransaction | undefined>;
  /** The monitor hands on here what it found out. */
  notice(row: ChainTransaction): void;
  /** Waits for sends in progress, not for receipts, and refuses new ones. */
  stop(): Promise<void>;
}

export interface SenderContext {
  readonly db: Db;
  readonly chain: ChainAccess;
  readonly log: ChainLog;
  readonly settings?: Partial<SenderSettings>;
}

interface Sending extends SenderContext {
  readonly settings: SenderSettings;
  readonly tracker: Tracker;
  readonly signingQueues: Map<Address, SigningQueue>;
  /** Takes one of the places for what has no receipt yet. */
  readonly takePlace: () => Promise<() => void>;
  readonly underWay: Set<Promise<unknown>>;
  isStopped: boolean;
}

export function createSender(context: SenderContext): Sender {
  const settings = { ...SENDER_DEFAULTS, ...context.settings };
  const tracker = createTracker({ ...context, settings });
  const sending: Sending = {
    ...context,
    settings,
    tracker,
    signingQueues: new Map(),
    takePlace: semaphore(settings.inFlight),
    underWay: new Set(),
    isStopped: false,
  };
  return {
    quote: (call) => quote(sending, call),
    send: (request) => send(sending, request),
    awaitReceipt: tracker.awaitReceipt,
    finish: (row) => finish(sending, row),
    execute: async (request) => finish(sending, await send(sending, request)),
    find: (reference) => find(sending, reference),
    notice: tracker.notice,
    async stop() {
      sending.isStopped = true;
      await Promise.allSettled(sending.underWay);
      tracker.stop();
    },
  };
}

const quote = async ({ chain, settings }: Sending, call: EvmCall): Promise<PreparedTransaction> =>
  prepareTransaction(await chain.client(), call, settings);

const find = async ({ db }: Sending, reference: string): Promise<ChainTransaction | undefined> =>
  (await findByReference(db, [reference]))[0];

function queueOf(sending: Sending, address: Address): SigningQueue {
  const { signingQueues, db, chain, log } = sending;
  const queue = signingQueues.get(address) ?? createSigningQueue({ db, chain, address, log });
  signingQueues.set(address, queue);
  return queue;
}

async function send(sending: Sending, request: SendRequest): Promise<ChainTransaction> {
  const { chain, underWay, isStopped } = sending;
  if (isStopped) throw new ChainError('unreachable', 'The sender has stopped');
  const work = sendOnce(sending, request);
  underWay.add(work);
  try {
    const row = await work;
    assertSame(row, request, chain.info.chainId);
    return row;
  } finally {
    underWay.delete(work);
  }
}

async function sendOnce(sending: Sending, request: SendRequest): Promise<ChainTransaction> {
  const known = await find(sending, request.reference);
  if (known) return known;
  const release = await sending.takePlace();
  try {
    const { address } = request.signer;
    const prepared = request.quote ?? (await quote(sending, { ...request, from: address }));
    const row = await queueOf(sending, address).push(request, prepared);
    void sending.tracker.awaitReceipt(row).then(release, release);
    return row;
  } catch (error) {
    release();
    throw error;
  }
}

async function finish(sending: Sending, sent: ChainTransaction): Promise<ExecutedTransaction> {
  const row = await sending.tracker.awaitReceipt(sent);
  if (isExecuted(row)) return row;
  throw row.status === 'REVERTED'
    ? new ChainError('reverted', `${row.hash} was reverted on chain`)
    : new ChainError('refused', `${row.hash} lost its nonce to another transaction`);
}

/** It has a receipt that says so. */
export const isExecuted = (row: ChainTransaction): row is ExecutedTransaction =>
  row.status === 'CONFIRMED';

/**
 * A reference that comes back with other content is a mistake of ours, and money is at stake. What was
 * cancelled has nothing left of its content: the waiting caller gets that answer.
 */
function assertSame(row: ChainTransaction, request: SendRequest, chainId: number): void {
  if (row.is_filler || row.status === 'LOST') return;
  const { to, data = '0x', value = 0n } = parseTransaction(row.raw);
  const same =
    row.chain_id === chainId &&
    row.from_address === request.signer.address &&
    (to ? getAddress(to) : undefined) === (request.to && getAddress(request.to)) &&
    data === (request.data ?? '0x').toLowerCase() &&
    value === (request.value ?? 0n);
  if (!same) throw new Error(`${request.reference} was sent with another content`);
}

/** Answers a way to take one of `count` places, which answers a way to leave it (once). */
function semaphore(count: number): () => Promise<() => void> {
  let free = count;
  const queue: (() => void)[] = [];
  const leave = (): void => {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };
}
