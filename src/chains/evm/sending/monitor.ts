import { type Hash, keccak256, parseTransaction, type TransactionReceipt } from 'viem';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { broadcast, type ChainAccess, type ChainClient, knows, receiptOf } from '../client.ts';
import { chainFault } from '../fault.ts';
import { type ChainLog, SENDER_DEFAULTS, type SenderSettings } from '../settings.ts';
import type { Signer } from '../signer.ts';
import { type ChainTransaction, recordMined, replaceSigned } from './journal.ts';
import {
  chooseEarlier,
  listPendingEvm,
  markLost,
  markPending,
  markSent,
  type OpenTransaction,
} from './pending-store.ts';
import { greater, lesser, readGasPrice, shareOfGas } from './prepare.ts';

/** Nodes take a replacement from 10 % on; a quarter more is noticed by miners too. */
const BUMP_POINTS = 12_500n;
const PAGE = 200;
const AT_ONCE = 20;

export interface WatchdogContext {
  readonly db: Db;
  readonly chain: ChainAccess;
  readonly log: ChainLog;
  readonly settings?: Partial<SenderSettings>;
  /** The signer of that address; nothing for a key that we did not keep. */
  readonly signerOf: (address: string) => Promise<Signer | undefined>;
  /** Called with every row whose look had an answer, so that waiting callers learn of it. */
  readonly notice?: (row: ChainTransaction) => void;
  /** Called with every row that differs from before, and awaited at the end of the look. */
  readonly changed?: (row: ChainTransaction) => Promise<void>;
}

/**
 * One look at all transactions of a chain that are not final. Receipts are read again until they
 * are deep enough; what the node forgot is sent again; what is stuck is offered more for. Safe to
 * run at any time, also twice at once.
 */
export async function monitorOpenEvm(context: WatchdogContext): Promise<void> {
  const { db, chain } = context;
  const settings = { ...SENDER_DEFAULTS, ...context.settings };
  const client = await chain.client();
  const head = Number(await client.getBlockNumber());
  for (let afterId = 0; ; ) {
    const rows = await listPendingEvm(db, chain.info.chainId, {
      stuckAfterMs: settings.stuckAfterMs,
      afterId,
      limit: PAGE,
    });
    for (let i = 0; i < rows.length; i += AT_ONCE) {
      const some = rows.slice(i, i + AT_ONCE).map(async (row) => {
        // One that cannot be helped must not keep the others from it.
        await lookAt({ ...context, settings, client, head }, row).catch((error: unknown) => {
          context.log.error({ hash: row.hash, err: chainFault(error) }, 'Could not look after it');
        });
      });
      await Promise.all(some);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    afterId = last.transaction_id;
  }
}

interface Look extends WatchdogContext {
  readonly settings: SenderSettings;
  readonly client: ChainClient;
  readonly head: number;
}

async function lookAt(look: Look, row: OpenTransaction): Promise<void> {
  if (await recordIfMined(look, row)) return;
  if (row.block_number !== null) {
    if (await isStillThere(look, row.block_number, row.block_hash)) return;
    await markPending(look.db, [row.transaction_id]);
    const nowhere = { block_number: null, block_hash: null, gas_used: null, gas_fee: null };
    await tell(look, { ...row, ...nowhere, mined_at: null, status: 'PENDING' });
  } else if (!row.is_stuck) return;
  await rebroadcast(look, row);
}

/** Whether one of its signatures has a receipt, which is written down then. */
async function recordIfMined(look: Look, row: OpenTransaction): Promise<boolean> {
  for (const { hash } of [row, ...row.earlier]) {
    const receipt = await receiptOf(look.client, hash);
    if (!receipt) continue;
    await record(look, row, hash, receipt);
    return true;
  }
  return false;
}

/** A node may forget old receipts. Only another block in the place of theirs is a reorganisation. */
async function isStillThere(look: Look, block: number, hash: Hash | null): Promise<boolean> {
  if (block > look.head) return false;
  const found = await look.client.getBlock({ blockNumber: BigInt(block) }).catch(() => undefined);
  return found === undefined || found.hash === hash;
}

async function record(
  look: Look,
  row: OpenTransaction,
  hash: Hash,
  receipt: TransactionReceipt,
): Promise<void> {
  const { db, head, settings, notice } = look;
  const isDeep = head - Number(receipt.blockNumber) >= settings.finalDepth;
  const [recorded] = await transact(db, async (tx) => {
    if (hash !== row.hash) await chooseEarlier(tx, row, hash);
    return recordMined(tx, [{ transaction_id: row.transaction_id, receipt }], isDeep);
  });
  if (recorded === undefined) return;
  if (FATE.some((part) => recorded[part] !== row[part])) await tell(look, recorded);
  else notice?.(recorded);
}

/** What others follow of a transaction. */
const FATE = ['status', 'hash', 'block_hash', 'is_final'] as const;

async function tell({ notice, changed }: Look, row: ChainTransaction): Promise<void> {
  notice?.(row);
  await changed?.(row);
}

async function markDropped(look: Look, row: OpenTransaction): Promise<void> {
  if (!(await markLost(look.db, row.transaction_id))) return;
  look.log.error({ hash: row.hash, nonce: row.nonce }, 'A transaction will never be mined');
  await tell(look, { ...row, status: 'LOST', is_final: true });
}

/** No receipt for too long: sends again, offers more, or finds that it can never happen. */
async function rebroadcast(look: Look, row: OpenTransaction): Promise<void> {
  const { db, client, head, settings } = look;
  const address = row.from_address;
  const settled = BigInt(Math.max(head - settings.finalDepth, 0));
  // Its nonce is used that deep: by none of its own signatures, also none that was mined since they were asked for.
  if ((await countAt(client, row, settled)) > row.nonce) {
    if (!(await recordIfMined(look, row))) await markDropped(look, row);
    return;
  }
  const isNext = (await client.getTransactionCount({ address })) === row.nonce;
  if (await knows(client, row.hash)) {
    if (isNext) await bumpFee(look, row, row.is_filler);
    return;
  }
  if (!(await markSent(db, row))) return;
  const refusal = await broadcast(client, row.raw).catch(chainFault);
  if (refusal === undefined) return;
  const isRefused = refusal.kind === 'insufficient_funds' || refusal.kind === 'refused';
  // Those behind it would wait for ever, so its nonce goes to a transaction that does nothing.
  if (isRefused && isNext) await bumpFee(look, row, true);
  else throw refusal;
}

/** A pruned node does not know old counts; then it is not certain that a nonce is lost. */
const countAt = (client: ChainClient, row: ChainTransaction, blockNumber: bigint) =>
  client.getTransactionCount({ address: row.from_address, blockNumber }).catch(() => 0);

/** Signs the nonce again for a higher price: the same transaction, or nothing at all. */
async function bumpFee(look: Look, row: OpenTransaction, is_filler: boolean): Promise<void> {
  const { db, client, settings, log, signerOf } = look;
  const bumped = shareOfGas(row.gas_price, BUMP_POINTS);
  const current = shareOfGas(await readGasPrice(client, settings), settings.gasPricePoints);
  const gasPrice = lesser(greater(bumped, current), settings.gasPriceCeiling);
  const signer = await signerOf(row.from_address);
  if (signer === undefined || gasPrice < bumped) {
    log.warn({ hash: row.hash }, 'Stuck, and its price cannot be raised');
    await markSent(db, row);
    return;
  }
  const content = is_filler ? cancelCall(row) : contentOf(row);
  const { chain_id: chainId, nonce, purpose, reference } = row;
  const raw = await signer.sign({ type: 'legacy', chainId, nonce, gasPrice, ...content });
  const next = { hash: keccak256(raw), raw, gas_price: gasPrice, purpose, reference, is_filler };
  const replaced = await replaceSigned(db, row, next);
  if (replaced === undefined) return;
  log.info(
    { hash: replaced.hash, instead_of: row.hash, is_filler },
    'Replaced a stuck transaction',
  );
  await tell(look, replaced);
  await broadcast(client, raw);
}

function contentOf({ raw }: ChainTransaction) {
  const { gas, to, data, value = 0n } = parseTransaction(raw);
  if (gas === undefined) throw new Error('A journalled transaction has no gas');
  return { gas, to: to ?? undefined, data, value };
}

const cancelCall = ({ from_address: to }: ChainTransaction) => ({ gas: 21_000n, to, value: 0n });
