import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import {
  type Cardano,
  CIRCULATION,
  costLegs,
  type ManagedCardano,
  markBooked,
} from '#chains/cardano/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import type { FaucetReply } from '#sandbox/faucet.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { type FaucetGrant, tapOf } from '../tap.ts';
import { addressRoutes } from './address-routes.ts';
import { blockfrostRefusal } from './answers.ts';
import { assetRoutes } from './asset-routes.ts';
import { blockRoutes } from './blocks.ts';
import { mempoolControls } from './mempool.ts';
import { parameterControl, parameterRoutes } from './parameters.ts';
import { rollbackControl } from './rollback.ts';
import { ensureGenesis, giveCoins } from './sandbox-ledger.ts';
import { PROVIDER } from './stored.ts';
import { mempoolRoutes, transactionRoutes } from './transaction-routes.ts';

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
    refusal: (status) => blockfrostRefusal(status),
    controls(server, given) {
      rollbackControl(server, given);
      mempoolControls(server, given);
      parameterControl(server, given);
    },
    wire(server, given) {
      world = given;
      wireBlockfrost(server, given, projectId, open);
    },
  };
  const giver = {
    tokens: ['USDC' as const],
    give: (gift: FaucetGrant) => give(settings, open, gift),
  };
  return { simulator, tap: (gift) => tapOf(cardano.chain, giver)(gift) };
}

/** Blockfrost's API, for that project. */
function wireBlockfrost(
  server: FastifyInstance,
  world: World,
  projectId: string,
  open: () => Promise<World>,
): void {
  // Transactions come as bytes; everything else here is asked for without a body.
  server.addContentTypeParser(
    'application/cbor',
    { parseAs: 'buffer', bodyLimit: RAW_MAX },
    async (_request: unknown, body: Buffer) => body,
  );
  server.addHook('preHandler', async ({ headers }, reply) => {
    if (headers['project_id'] !== projectId) return reply.code(403).send(blockfrostRefusal(403));
    await open();
    return undefined;
  });
  server.setNotFoundHandler((_, reply) => {
    const why = 'Invalid path. Please check https://docs.blockfrost.io/';
    return reply.code(400).send(blockfrostRefusal(400, why));
  });
  answerErrorsItsWay(server);
  blockRoutes(server, world);
  parameterRoutes(server, world);
  addressRoutes(server, world);
  transactionRoutes(server, world);
  mempoolRoutes(server, world);
  assetRoutes(server, world);
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

/** What a query or an address of another form than the document's is answered. */
function answerErrorsItsWay(server: FastifyInstance): void {
  server.setErrorHandler<{ statusCode?: number; message: string }>((error, _, reply) => {
    const status = error.statusCode ?? 500;
    const message = status < 500 ? error.message : undefined;
    return reply.code(status).send(blockfrostRefusal(status, message));
  });
}
