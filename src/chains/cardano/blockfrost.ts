import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import { callHttp, callRepeatable, type ProviderReply } from '#kernel/provider-call.ts';
import type { Head } from '../port.ts';
import { ledgerRefusal } from './blockfrost-codes.ts';
import {
  PAGE,
  WireAddress,
  type WireAmounts,
  WireAsset,
  WireAssetHistory,
  WireAssetTransactions,
  WireBlock,
  WireMempoolTx,
  WireParams,
  type WirePlace,
  WireTx,
  WireTxUtxos,
  WireUtxos,
} from './blockfrost-wire.ts';
import type { Params, Utxo } from './build.ts';

export interface BlockfrostSettings {
  /** `https://cardano-preprod.blockfrost.io/api/v0` */
  url(): string;
  readonly projectId: string;
  readonly timeoutMs?: number;
}

/** A transaction of the asset, and when it was. */
export interface AssetMove {
  readonly hash: string;
  readonly at: Date;
}

export interface Minting {
  readonly hash: string;
  /** Positive where minted, negative where burnt. */
  readonly units: bigint;
}

export interface Block {
  readonly slot: number;
  readonly height: number;
}

/** Units of a token, by its policy and name. */
export interface TokenAmount {
  readonly unit: string;
  readonly quantity: bigint;
}

/** What is at an address: coins, tokens of ours, and those of others. */
export interface Amounts {
  readonly lovelace: bigint;
  readonly usdc: bigint;
  readonly others: readonly TokenAmount[];
}

/** The newest one, and when it was made. */
export type Tip = Block & Head & { readonly hash: string };

/** What a transaction spends and makes, in a block or waiting for one; inputs of a waiting one are not known. */
export interface SeenUtxos {
  readonly block: Block | undefined;
  readonly fee: bigint;
  readonly inputs: readonly WirePlace[];
  readonly outputs: readonly WirePlace[];
}

/** The ledger, by Blockfrost's API. */
export interface Blockfrost {
  params(): Promise<Outcome<Params>>;
  /** The newest block. */
  tip(): Promise<Outcome<Tip>>;
  /** What is unspent at an address, without what holds tokens that are not ours. */
  utxos(address: string, assetId: string): Promise<Outcome<Utxo[]>>;
  holdings(address: string, assetId: string): Promise<Outcome<Amounts>>;
  /**
   * `refused` with why the ledger does not take it now, which it may later: `INPUTS_MISSING` where it spends what the
   * node has not heard of, else `REJECTED`.
   */
  submit(raw: Buffer): Promise<Outcome<string>>;
  /** `done(undefined)` when it is in no block. */
  find(hash: string): Promise<Outcome<Block | undefined>>;
  /** The same with what it moves, also of one in the mempool. */
  see(hash: string): Promise<Outcome<SeenUtxos | undefined>>;
  supply(assetId: string): Promise<Outcome<bigint>>;
  /** Newest first, from page 1 on. */
  movesOf(assetId: string, page: number): Promise<Outcome<AssetMove[]>>;
  mintingsOf(assetId: string, page: number): Promise<Outcome<Minting[]>>;
}

const TIMEOUT_MS = 10_000;
/** Pages of a treasury that somebody has sent very many coins to. */
const PAGES_MAX = 20;

/** Blockfrost over HTTP. */
export function blockfrost(settings: BlockfrostSettings): Blockfrost {
  const ask = asker(settings);
  return {
    async params() {
      const answer = await ask('params', '/epochs/latest/parameters', WireParams);
      return map(answer, (wire) => (wire === undefined ? undefined : paramsOf(wire)));
    },
    async tip() {
      const answer = await ask('tip', '/blocks/latest', WireBlock);
      return map(answer, (wire) => wire && tipOf(wire));
    },
    utxos: (address, assetId) => utxosOf(ask, address, assetId),
    async holdings(address, assetId) {
      const answer = await ask('address', `/addresses/${address}`, WireAddress);
      // Where nothing ever was, there is nothing.
      return map(answer, (wire) => holdingsOf(wire?.amount ?? [], assetId));
    },
    submit: (raw) => submit(settings, raw),
    async find(hash) {
      const answer = await ask('transaction', `/txs/${hash}`, WireTx);
      if (answer.kind !== 'done' || answer.value === undefined) return answer as Outcome<undefined>;
      return done({ slot: answer.value.slot, height: answer.value.block_height });
    },
    see: (hash) => see(ask, hash),
    async supply(assetId) {
      const answer = await ask('asset', `/assets/${assetId}`, WireAsset);
      return map(answer, (wire) => BigInt(wire?.quantity ?? 0));
    },
    async movesOf(assetId, page) {
      const path = `/assets/${assetId}/transactions?order=desc&count=${PAGE}&page=${page}`;
      const answer = await ask('asset transactions', path, WireAssetTransactions);
      const moveOf = (wire: Static<typeof WireAssetTransactions>[number]): AssetMove => ({
        hash: wire.tx_hash,
        at: new Date(wire.block_time * 1000),
      });
      return map(answer, (wire) => (wire ?? []).map(moveOf));
    },
    async mintingsOf(assetId, page) {
      const path = `/assets/${assetId}/history?order=desc&count=${PAGE}&page=${page}`;
      const answer = await ask('asset history', path, WireAssetHistory);
      return map(answer, (wire) => (wire ?? []).map(mintingOf));
    },
  };
}

type Ask = <S extends TSchema>(
  name: string,
  path: string,
  schema: S,
) => Promise<Outcome<Static<S> | undefined>>;

/** A GET; nothing where there is nothing of that name. */
const asker =
  ({ url, projectId, timeoutMs = TIMEOUT_MS }: BlockfrostSettings): Ask =>
  async (name, path, schema) => {
    const reply = await callRepeatable(() => ({
      name: `cardano ${name}`,
      method: 'GET',
      url: `${url()}${path}`,
      headers: { project_id: projectId },
      timeoutMs,
    }));
    if ('lost' in reply) return unknown(reply.lost);
    if (reply.status === 404) return done(undefined);
    if (reply.status !== 200) return unknown(`status ${reply.status}`);
    return Value.Check(schema, reply.json)
      ? done(reply.json)
      : unknown(`an answer of another shape to ${name}`);
  };

/** What is there; a `make` that answers nothing says that it should have been. */
function map<T, U>(
  answer: Outcome<T | undefined>,
  make: (value: T | undefined) => U | undefined,
): Outcome<U> {
  if (answer.kind !== 'done') return answer;
  const made = make(answer.value);
  return made === undefined ? unknown('status 404') : done(made);
}

const paramsOf = (wire: Static<typeof WireParams>): Params => ({
  feePerByte: BigInt(wire.min_fee_a),
  feeFixed: BigInt(wire.min_fee_b),
  coinsPerByte: BigInt(wire.coins_per_utxo_size),
  keyDeposit: BigInt(wire.key_deposit),
  poolDeposit: BigInt(wire.pool_deposit),
  maxTxSize: wire.max_tx_size,
  maxValueSize: Number(wire.max_val_size),
});

async function see(ask: Ask, hash: string): Promise<Outcome<SeenUtxos | undefined>> {
  const mined = await ask('transaction', `/txs/${hash}`, WireTx);
  if (mined.kind !== 'done') return mined;
  if (mined.value === undefined) {
    const waiting = await ask('mempool', `/mempool/${hash}`, WireMempoolTx);
    if (waiting.kind !== 'done' || waiting.value === undefined)
      return waiting as Outcome<undefined>;
    const { tx, outputs } = waiting.value;
    return done({ block: undefined, fee: BigInt(tx.fees), inputs: [], outputs });
  }
  const { slot, block_height: height, fees } = mined.value;
  const moved = await ask('transaction utxos', `/txs/${hash}/utxos`, WireTxUtxos);
  // Without them the block has just been taken back: the next look says more.
  if (moved.kind !== 'done' || moved.value === undefined) return moved as Outcome<undefined>;
  return done({ block: { slot, height }, fee: BigInt(fees), ...moved.value });
}

const tipOf = ({ slot, height, time, hash }: Static<typeof WireBlock>): Tip => ({
  hash,
  slot,
  height,
  at: new Date(time * 1000),
});

const mintingOf = ({ tx_hash, action, amount }: Static<typeof WireAssetHistory>[number]) => {
  const units = BigInt(amount.replace('-', ''));
  return { hash: tx_hash, units: action === 'minted' ? units : -units };
};

function holdingsOf(amounts: WireAmounts, assetId: string): Amounts {
  const of = (wanted: string) => BigInt(amounts.find(({ unit }) => unit === wanted)?.quantity ?? 0);
  const others = amounts.flatMap(({ unit, quantity }) =>
    unit === 'lovelace' || unit === assetId ? [] : [{ unit, quantity: BigInt(quantity) }],
  );
  return { lovelace: of('lovelace'), usdc: of(assetId), others };
}

async function utxosOf(ask: Ask, address: string, assetId: string): Promise<Outcome<Utxo[]>> {
  const all: Utxo[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const path = `/addresses/${address}/utxos?count=${PAGE}&page=${page}`;
    const answer = await ask('utxos', path, WireUtxos);
    if (answer.kind !== 'done') return answer;
    const rows = answer.value ?? [];
    for (const { tx_hash, output_index, amount } of rows) {
      // Somebody else's tokens would have to be sent on with every transaction.
      if (amount.some(({ unit }) => unit !== 'lovelace' && unit !== assetId)) continue;
      const { lovelace, usdc } = holdingsOf(amount, assetId);
      all.push({ txHash: tx_hash, index: output_index, lovelace, usdc });
    }
    if (rows.length < PAGE) return done(all);
  }
  return done(all);
}

async function submit(
  { url, projectId, timeoutMs = TIMEOUT_MS }: BlockfrostSettings,
  raw: Buffer,
): Promise<Outcome<string>> {
  const reply: ProviderReply = await callHttp({
    name: 'cardano submit',
    method: 'POST',
    url: `${url()}/tx/submit`,
    headers: { project_id: projectId, 'content-type': 'application/cbor' },
    body: raw,
    timeoutMs,
  });
  if ('lost' in reply) return unknown(reply.lost);
  if (reply.status === 400) {
    const message = messageOf(reply.json);
    return refused(ledgerRefusal(message), message.slice(0, 300));
  }
  if (reply.status !== 200 || typeof reply.json !== 'string')
    return unknown(`status ${reply.status}`);
  return done(reply.json);
}

const messageOf = (json: unknown): string =>
  String((json as { message?: unknown } | undefined)?.message ?? 'no reason');
