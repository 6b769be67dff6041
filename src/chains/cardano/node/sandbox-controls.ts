import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput, words } from '#kernel/http/schema.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { Invalid } from './ledger-rules.ts';
import {
  ensureGenesis,
  PARAMS,
  PROVIDER,
  type StoredAddress,
  type StoredAsset,
  type StoredMove,
  type StoredTx,
  slotOf,
  submit,
} from './sandbox-ledger.ts';

export interface LedgerSettings {
  /** What the adapter has to send as its project. */
  readonly projectId: string;
  /** Who has coins from the beginning. */
  treasury(): Promise<string>;
}

/**
 * Cardano's test network by Blockfrost's API, over a ledger of its own that keeps the network's rules.
 * Nothing is loaded before the first call.
 */
export const cardanoLedger = (settings: LedgerSettings): Simulator => ({
  provider: PROVIDER,
  prefix: '/cardano',
  wire(server, world) {
    let opened: Promise<void> | undefined;
    // Transactions come as bytes; everything else here is asked for without a body.
    server.addContentTypeParser(
      'application/cbor',
      { parseAs: 'buffer', bodyLimit: RAW_MAX },
      async (_request: unknown, body: Buffer) => body,
    );
    server.addHook('preHandler', async (request, reply) => {
      if (request.headers['project_id'] !== settings.projectId)
        return reply.code(403).send(fault(403, 'Forbidden', 'Invalid project token.'));
      opened ??= settings
        .treasury()
        .then((treasury) => ensureGenesis(world, treasury))
        .catch((error: unknown) => {
          opened = undefined;
          throw error;
        });
      await opened;
      return undefined;
    });
    blockRoutes(server, world);
    addressRoutes(server, world);
    transactionRoutes(server, world);
    assetRoutes(server, world);
  },
});

const RAW_MAX = 64 * 1024;

const fault = (status_code: number, error: string, message: string) => ({
  status_code,
  error,
  message,
});
const missing = (reply: FastifyReply) =>
  reply.code(404).send(fault(404, 'Not Found', 'The requested component has not been found.'));

const Page = Type.Object({
  count: Type.Optional(integerInput(1, 100)),
  page: Type.Optional(integerInput(1, 21_474_836)),
  order: Type.Optional(words(['asc', 'desc'] as const)),
});
type Page = Static<typeof Page>;

function blockRoutes(server: FastifyInstance, world: World): void {
  server.get('/epochs/latest/parameters', async () => ({
    min_fee_a: Number(PARAMS.feePerByte),
    min_fee_b: Number(PARAMS.feeFixed),
    max_tx_size: PARAMS.maxTxSize,
    max_val_size: String(PARAMS.maxValueSize),
    key_deposit: String(PARAMS.keyDeposit),
    pool_deposit: String(PARAMS.poolDeposit),
    min_utxo: String(PARAMS.coinsPerByte),
    coins_per_utxo_size: String(PARAMS.coinsPerByte),
  }));
  server.get('/blocks/latest', async () => {
    const tip = await world.records.get<{ height: number }>(PROVIDER, 'tip', 'tip');
    return { time: world.clock.seconds(), height: tip?.height ?? 0, slot: slotOf(world) };
  });
}

function addressRoutes(server: FastifyInstance, { records }: World): void {
  const find = (address: string) => records.get<StoredAddress>(PROVIDER, 'address', address);
  type AddressCall = { Params: { address: string }; Querystring: Page };

  server.get<AddressCall>('/addresses/:address', async ({ params: { address } }, reply) => {
    const found = await find(address);
    if (!found) return missing(reply);
    const totals = new Map([['lovelace', 0n]]);
    for (const { amounts } of found.utxos)
      for (const [unit, units] of Object.entries(amounts))
        totals.set(unit, (totals.get(unit) ?? 0n) + BigInt(units));
    const amount = [...totals].map(([unit, units]) => ({ unit, quantity: String(units) }));
    return { address, amount, stake_address: null, type: 'shelley', script: false };
  });

  server.get<AddressCall>(
    '/addresses/:address/utxos',
    { schema: { querystring: Page } },
    async ({ params: { address }, query }, reply) => {
      const found = await find(address);
      if (!found) return missing(reply);
      return pageOf(found.utxos, query).map(({ txHash, index, amounts }) => ({
        address,
        tx_hash: txHash,
        output_index: index,
        amount: amountOf(amounts),
        data_hash: null,
        inline_datum: null,
        reference_script_hash: null,
      }));
    },
  );
}

function transactionRoutes(server: FastifyInstance, world: World): void {
  const { records } = world;
  type TxCall = { Params: { hash: string } };
  const find = (hash: string) => records.get<StoredTx>(PROVIDER, 'tx', hash);

  server.post<{ Body: Buffer }>('/tx/submit', async ({ body }, reply) => {
    if (!Buffer.isBuffer(body))
      return reply.code(400).send(fault(400, 'Bad Request', 'content-type is not application/cbor'));
    try {
      return reply.type('application/json').send(JSON.stringify(await submit(world, body)));
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const message = `transaction submit error ShelleyTxValidationError (${error.message})`;
      return reply.code(400).send(fault(400, 'Bad Request', message));
    }
  });
  server.get<TxCall>('/txs/:hash', async ({ params: { hash } }, reply) => {
    const found = await find(hash);
    if (!found) return missing(reply);
    const { height, time, slot, fee, raw } = found;
    const size = raw.length / 2;
    return { hash, block_height: height, block_time: time, slot, fees: fee, size };
  });
  server.get<TxCall>('/txs/:hash/utxos', async ({ params: { hash } }, reply) => {
    const found = await find(hash);
    if (!found) return missing(reply);
    const inputs = found.inputs.map(({ txHash, index }) => ({
      tx_hash: txHash,
      output_index: index,
    }));
    const outputs = found.outputs.map(({ address, amounts }, output_index) => ({
      address,
      amount: amountOf(amounts),
      output_index,
    }));
    return { hash, inputs, outputs };
  });
  server.get<TxCall>('/txs/:hash/cbor', async ({ params: { hash } }, reply) => {
    const found = await find(hash);
    return found ? { cbor: found.raw } : missing(reply);
  });
}

function assetRoutes(server: FastifyInstance, { records }: World): void {
  type AssetCall = { Params: { asset: string }; Querystring: Page };
  const pageSchema = { schema: { querystring: Page } };

  server.get<AssetCall>('/assets/:asset', async ({ params: { asset } }, reply) => {
    const found = await records.get<StoredAsset>(PROVIDER, 'asset', asset);
    if (!found) return missing(reply);
    const { quantity } = found;
    return { asset, policy_id: asset.slice(0, 56), asset_name: asset.slice(56), quantity };
  });
  server.get<AssetCall>('/assets/:asset/transactions', pageSchema, async ({ params, query }) =>
    (await moves(params.asset, query, false)).map(({ hash, height, time }) => ({
      tx_hash: hash,
      tx_index: 0,
      block_height: height,
      block_time: time,
    })),
  );
  server.get<AssetCall>('/assets/:asset/history', pageSchema, async ({ params, query }) =>
    (await moves(params.asset, query, true)).map(({ hash, minted = '0' }) => ({
      tx_hash: hash,
      action: minted.startsWith('-') ? 'burned' : 'minted',
      amount: minted,
    })),
  );

  /** The records list the newest first, and so does whoever asks for this. */
  async function moves(asset: string, page: Page, isMinting: boolean): Promise<StoredMove[]> {
    const all: StoredMove[] = [];
    const wanted = (page.page ?? 1) * (page.count ?? 100);
    let before: string | undefined;
    for (;;) {
      const options = { limit: 1000, where: { asset }, ...(before && { before }) };
      const rows = await records.list<StoredMove>(PROVIDER, 'move', options);
      all.push(...rows.filter(({ minted }) => !isMinting || minted !== undefined));
      const last = rows.at(-1);
      if (rows.length < 1000 || last === undefined || all.length >= wanted) break;
      before = `${asset} ${last.hash}`;
    }
    return pageOf(all, page);
  }
}

const pageOf = <T>(all: readonly T[], { page = 1, count = 100 }: Page): T[] =>
  all.slice((page - 1) * count, page * count);

const amountOf = (amounts: Readonly<Record<string, string>>) =>
  Object.entries(amounts).map(([unit, quantity]) => ({ unit, quantity }));
