import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  type Cardano,
  CIRCULATION,
  costLegs,
  type ManagedCardano,
  markBooked,
} from '#chains/cardano/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { integerInput, oneOfWords } from '#kernel/http/declare/schema.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import type { FaucetReply } from '#sandbox/faucet.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { type FaucetGrant, tapOf } from '../tap.ts';
import { Invalid } from './ledger-rules.ts';
import { rollbackControl } from './rollback.ts';
import {
  ensureGenesis,
  giveCoins,
  heightOf,
  PARAMS,
  PROVIDER,
  type StoredAddress,
  type StoredAsset,
  type StoredMove,
  type StoredTx,
  slotOf,
  submit,
} from './sandbox-ledger.ts';

interface LedgerSettings {
  readonly db: Db;
  /** What the adapter has to send as its project. */
  readonly projectId: string;
  readonly cardano: ManagedCardano;
}

/**
 * Cardano's test network by Blockfrost's API, over a ledger of its own that keeps the network's rules, and
 * its faucet. Nothing is loaded before the first call.
 */
export function cardanoSandbox(settings: LedgerSettings): {
  readonly simulator: Simulator;
  readonly tap: FaucetReply;
} {
  const { projectId, cardano } = settings;
  let world: World | undefined;
  let opened: Promise<World> | undefined;

  /** The first who comes makes the first block; what failed is tried again by the next one. */
  function open(): Promise<World> {
    opened ??= begin().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }
  async function begin(): Promise<World> {
    if (!world) throw new Error('The ledger was not mounted');
    await ensureGenesis(world, (await cardano.identity()).treasury);
    return world;
  }

  const simulator: Simulator = {
    provider: PROVIDER,
    prefix: '/cardano',
    controls: rollbackControl,
    wire(server, given) {
      world = given;
      // Transactions come as bytes; everything else here is asked for without a body.
      server.addContentTypeParser(
        'application/cbor',
        { parseAs: 'buffer', bodyLimit: RAW_MAX },
        async (_request: unknown, body: Buffer) => body,
      );
      server.addHook('preHandler', async ({ headers }, reply) => {
        if (headers['project_id'] !== projectId)
          return reply.code(403).send(fault(403, 'Forbidden', 'Invalid project token.'));
        await open();
        return undefined;
      });
      blockRoutes(server, given);
      addressRoutes(server, given);
      transactionRoutes(server, given);
      assetRoutes(server, given);
    },
  };
  const giver = {
    tokens: ['USDC' as const],
    give: (gift: FaucetGrant) => give(settings, open, gift),
  };
  return { simulator, tap: (gift) => tapOf(cardano.chain, giver)(gift) };
}

/** Coins of the ledger's own; USDC is minted under the platform's policy, and booked as a gift. */
async function give(
  { db, cardano }: LedgerSettings,
  open: () => Promise<World>,
  { to, asset, units }: FaucetGrant,
) {
  const hash =
    asset === 'native'
      ? await giveCoins(await open(), { address: to, lovelace: String(units) })
      : await mintGift(db, cardano, to, units);
  const held = await cardano.holdings(to);
  if (held.kind !== 'done') throw fail('PROVIDER_UNAVAILABLE', 'The ledger cannot be asked');
  const { lovelace, usdc } = held.value;
  return { hash, balance: asset === 'native' ? lovelace : usdc };
}

async function mintGift(db: Db, cardano: Cardano, to: string, units: bigint): Promise<string> {
  const order = { reference: `gift-${randomUUID()}`, kind: 'mint', units, to } as const;
  const minted = await cardano.send(order);
  if (minted.kind !== 'done') throw fail('PROVIDER_UNAVAILABLE', 'The ledger did not take it');
  const { hash } = minted.value;
  await transact(db, async (tx) => {
    await markBooked(tx, hash);
    const gifts = await openAccount(tx, houseAccount('cardano-gifts', 'USDC'));
    const circulation = await openAccount(tx, houseAccount(CIRCULATION, 'USDC'));
    const legs = [...transfer(gifts, circulation, units), ...(await costLegs(tx, minted.value))];
    await postWithin(tx, { key: `cardano:${hash}`, kind: 'cardano-gift', legs });
  });
  return hash;
}

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
  order: Type.Optional(oneOfWords(['asc', 'desc'] as const)),
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
    const height = await heightOf(world.records, world.clock);
    return { time: world.clock.seconds(), height, slot: slotOf(world) };
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
      return reply
        .code(400)
        .send(fault(400, 'Bad Request', 'content-type is not application/cbor'));
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
