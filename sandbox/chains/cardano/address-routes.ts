import type { FastifyInstance, FastifyReply } from 'fastify';
import type { World } from '#sandbox/simulator.ts';
import {
  BlockfrostPage,
  blockfrostPage,
  blockfrostRefusal,
  missing,
  shownAmounts,
} from './answers.ts';
import { blockHashes } from './blocks.ts';
import {
  allOldestFirst,
  PROVIDER,
  type StoredAddress,
  type StoredTx,
  type StoredVisit,
} from './stored.ts';

type AddressCall = {
  Params: { readonly address: string; readonly asset?: string };
  Querystring: BlockfrostPage;
};

/** Blockfrost's addresses. */
export function addressRoutes(server: FastifyInstance, { records }: World): void {
  const find = (address: string) => records.get<StoredAddress>(PROVIDER, 'address', address);
  const paged = { schema: { querystring: BlockfrostPage } };

  server.get<AddressCall>('/addresses/:address', async ({ params: { address } }, reply) => {
    if (!isAddress(address)) return malformed(reply);
    const found = await find(address);
    if (!found) return missing(reply);
    const totals = new Map([['lovelace', 0n]]);
    for (const { amounts } of found.utxos)
      for (const [unit, units] of Object.entries(amounts))
        totals.set(unit, (totals.get(unit) ?? 0n) + BigInt(units));
    const amount = [...totals].map(([unit, units]) => ({ unit, quantity: String(units) }));
    return { address, amount, stake_address: null, type: 'shelley', script: false };
  });

  async function utxos(
    { params: { address, asset }, query }: { params: AddressCall['Params']; query: BlockfrostPage },
    reply: FastifyReply,
  ) {
    if (!isAddress(address)) return malformed(reply);
    const found = await find(address);
    if (!found) return missing(reply);
    const hashOf = await blockHashes(records);
    const wanted = found.utxos.filter(({ amounts }) => asset === undefined || asset in amounts);
    return Promise.all(
      blockfrostPage(wanted, query).map(async ({ txHash, index, amounts }) => ({
        address,
        tx_hash: txHash,
        tx_index: index,
        output_index: index,
        amount: shownAmounts(amounts),
        block: hashOf((await records.get<StoredTx>(PROVIDER, 'tx', txHash))?.height ?? 0),
        data_hash: null,
        inline_datum: null,
        reference_script_hash: null,
      })),
    );
  }
  server.get<AddressCall>('/addresses/:address/utxos', paged, utxos);
  server.get<AddressCall>('/addresses/:address/utxos/:asset', paged, utxos);
  addressTransactions(server, records);
}

/** The transactions that moved something there. */
function addressTransactions(server: FastifyInstance, records: World['records']): void {
  server.get<AddressCall>(
    '/addresses/:address/transactions',
    { schema: { querystring: BlockfrostPage } },
    async ({ params: { address }, query }, reply) => {
      if (!isAddress(address)) return malformed(reply);
      const idOf = ({ hash }: StoredVisit) => `${address} ${hash}`;
      const visits = await allOldestFirst(records, { kind: 'visit', where: { address }, idOf });
      if (visits.length === 0) return missing(reply);
      return blockfrostPage(visits, query).map(({ hash, index, height, time }) => ({
        tx_hash: hash,
        tx_index: index,
        block_height: height,
        block_time: time,
      }));
    },
  );
}

/** Of a test network: those of the main one belong to another address of Blockfrost's. */
const isAddress = (text: string) => /^addr_test1[a-z0-9]{40,120}$/.test(text);
const malformed = (reply: FastifyReply) =>
  reply
    .code(400)
    .send(blockfrostRefusal(400, 'Invalid address for this network or malformed address format.'));
