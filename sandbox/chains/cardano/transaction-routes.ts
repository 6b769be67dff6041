import type { FastifyInstance } from 'fastify';
import { inLib, loadLib } from '#chains/cardano/csl.ts';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import {
  BlockfrostPage,
  blockfrostPage,
  blockfrostRefusal,
  missing,
  shownAmounts,
} from './answers.ts';
import { blockHashes } from './blocks.ts';
import { Invalid } from './ledger-rules.ts';
import { MempoolFull, pending, submit } from './mempool.ts';
import { nodeRefusal } from './node-refusal.ts';
import { type NewTx, PROVIDER, type StoredTx } from './stored.ts';

type TxCall = { Params: { hash: string } };

/** Blockfrost's transactions. */
export function transactionRoutes(server: FastifyInstance, world: World): void {
  const { records } = world;
  const find = (hash: string) => records.get<StoredTx>(PROVIDER, 'tx', hash);

  server.post<{ Body: Buffer }>('/tx/submit', async ({ body }, reply) => {
    if (!Buffer.isBuffer(body))
      return reply.code(400).send(blockfrostRefusal(400, 'content-type is not application/cbor'));
    try {
      return reply.type('application/json').send(JSON.stringify(await submit(world, body)));
    } catch (error) {
      if (error instanceof MempoolFull) return reply.code(425).send(blockfrostRefusal(425));
      if (!(error instanceof Invalid)) throw error;
      return reply.code(400).send(blockfrostRefusal(400, nodeRefusal(error.message)));
    }
  });
  server.get<TxCall>('/txs/:hash', async ({ params: { hash } }, reply) => {
    const found = await find(hash);
    if (!found) return missing(reply);
    const { height, time, slot, index = 0 } = found;
    const block = (await blockHashes(records))(height);
    const place = { block, block_height: height, block_time: time, slot, index };
    return { ...place, ...shownTx(found) };
  });
  server.get<TxCall>('/txs/:hash/utxos', async ({ params: { hash } }, reply) => {
    const found = await find(hash);
    if (!found) return missing(reply);
    const outputs = shownOutputs(found.outputs).map(async (output) => {
      const key = `${hash}#${output.output_index}`;
      const spent = await records.get<{ by: string }>(PROVIDER, 'spent', key);
      return { ...output, consumed_by_tx: spent?.by ?? null };
    });
    return {
      hash,
      inputs: await shownInputs(records, found.inputs),
      outputs: await Promise.all(outputs),
    };
  });
  server.get<TxCall>('/txs/:hash/cbor', async ({ params: { hash } }, reply) => {
    const found = await find(hash);
    return found ? { cbor: found.raw } : missing(reply);
  });
  server.get<TxCall>('/txs/:hash/metadata', async ({ params: { hash } }, reply) => {
    const found = await find(hash);
    return found ? metadataOf(found.raw) : missing(reply);
  });
}

/** Blockfrost's mempool: what waits for a block. */
export function mempoolRoutes(server: FastifyInstance, { records }: World): void {
  server.get<{ Querystring: BlockfrostPage }>(
    '/mempool',
    { schema: { querystring: BlockfrostPage } },
    async ({ query }) =>
      blockfrostPage(await pending(records), query).map(({ hash }) => ({ tx_hash: hash })),
  );
  server.get<TxCall>('/mempool/:hash', async ({ params: { hash } }, reply) => {
    const found = await records.get<NewTx>(PROVIDER, 'pending', hash);
    if (!found) return missing(reply);
    return {
      tx: shownTx(found),
      inputs: await shownInputs(records, found.inputs),
      outputs: shownOutputs(found.outputs),
      redeemers: [],
    };
  });
  server.get<{ Params: { address: string }; Querystring: BlockfrostPage }>(
    '/mempool/addresses/:address',
    { schema: { querystring: BlockfrostPage } },
    async ({ params: { address }, query }) => {
      const waiting = await pending(records);
      const theirs = waiting.filter(({ outputs }) => outputs.some((o) => o.address === address));
      return blockfrostPage(theirs, query).map(({ hash }) => ({ tx_hash: hash }));
    },
  );
}

/** What is the same of it before and after it has a block. */
function shownTx({ hash, fee, raw, inputs, outputs, interval = {}, minted = {} }: NewTx) {
  const totals = new Map<string, bigint>();
  for (const { amounts } of outputs)
    for (const [unit, units] of Object.entries(amounts))
      totals.set(unit, (totals.get(unit) ?? 0n) + BigInt(units));
  return {
    hash,
    output_amount: [...totals].map(([unit, units]) => ({ unit, quantity: String(units) })),
    fees: fee,
    deposit: '0',
    size: raw.length / 2,
    invalid_before: interval.start ?? null,
    invalid_hereafter: interval.end ?? null,
    utxo_count: inputs.length + outputs.length,
    withdrawal_count: 0,
    mir_cert_count: 0,
    delegation_count: 0,
    stake_cert_count: 0,
    pool_update_count: 0,
    pool_retire_count: 0,
    asset_mint_or_burn_count: Object.keys(minted).length,
    redeemer_count: 0,
    valid_contract: true,
    treasury_donation: '0',
  };
}

const NO_DATA = { data_hash: null, inline_datum: null, reference_script_hash: null };

const shownInputs = (records: Pick<Records, 'get'>, inputs: StoredTx['inputs']) =>
  Promise.all(
    inputs.map(async ({ txHash, index }) => {
      const made =
        (await records.get<StoredTx>(PROVIDER, 'tx', txHash)) ??
        (await records.get<NewTx>(PROVIDER, 'pending', txHash));
      const { address = '', amounts = {} } = made?.outputs[index] ?? {};
      const from = { address, amount: shownAmounts(amounts), tx_hash: txHash, output_index: index };
      return { ...from, ...NO_DATA, collateral: false, reference: false };
    }),
  );

const shownOutputs = (outputs: StoredTx['outputs']) =>
  outputs.map(({ address, amounts }, output_index) => ({
    address,
    amount: shownAmounts(amounts),
    output_index,
    ...NO_DATA,
    collateral: false,
  }));

/** By its labels, without the details of bytes and maps that JSON has no word for. */
async function metadataOf(raw: string): Promise<object[]> {
  if (raw === '') return [];
  const lib = await loadLib();
  return inLib((keep) => {
    const transaction = keep(lib.FixedTransaction.from_bytes(Buffer.from(raw, 'hex')));
    const metadata = transaction.auxiliary_data()?.metadata();
    if (!metadata) return [];
    const labels = keep(keep(metadata).keys());
    return Array.from({ length: labels.len() }, (_, nth) => {
      const label = keep(labels.get(nth));
      const datum = metadata.get(label);
      const schema = lib.MetadataJsonSchema.BasicConversions;
      const text = datum ? lib.decode_metadatum_to_json_str(keep(datum), schema) : 'null';
      return { label: label.to_str(), json_metadata: JSON.parse(text) as unknown };
    });
  });
}
