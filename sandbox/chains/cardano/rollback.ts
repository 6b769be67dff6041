import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput } from '#kernel/http/declare/schema.ts';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import { forkChain, heightOf } from './blocks.ts';
import { putBack } from './mempool.ts';
import { changing, moveAt, supply } from './sandbox-ledger.ts';
import { PROVIDER, type StoredMove, type StoredTx } from './stored.ts';

/** As far as the network itself may go back. */
const BLOCKS_MAX = 2160;
const PAGE = 100;

const Rollback = Type.Object({
  blocks: integerInput(1, BLOCKS_MAX),
  to_mempool: Type.Optional(Type.Boolean()),
});

/** `POST /cardano/rollback {blocks, to_mempool?}`: answers the hashes that are in no block any more, the newest first. */
export function rollbackControl(server: FastifyInstance, world: World): void {
  server.post<{ Body: Static<typeof Rollback> }>(
    '/cardano/rollback',
    { schema: { body: Rollback } },
    async ({ body }) => ({ undone: await rollBack(world, body) }),
  );
}

/**
 * Takes the last blocks back, as a longer fork without their transactions does: the chain is as high as
 * before, what they had spent is there again, and what they had made is not. The first block stays. With
 * `to_mempool` they wait for a block again, as they do at a node that had them.
 */
async function rollBack(
  world: World,
  { blocks, to_mempool }: Static<typeof Rollback>,
): Promise<string[]> {
  return changing(world, async (records) => {
    const last = (await heightOf(records, world.clock)) - blocks;
    await forkChain(records, Math.max(last, 1) + 1);
    const undone: StoredTx[] = [];
    for (;;) {
      const newest = await records.list<StoredTx>(PROVIDER, 'tx', { limit: PAGE });
      const late = newest.filter((tx) => tx.height > Math.max(last, 1));
      for (const tx of late) await undo(records, tx);
      undone.push(...late);
      if (late.length < PAGE) break;
    }
    if (to_mempool) for (const tx of undone.toReversed()) await putBack(records, tx);
    return undone.map(({ hash }) => hash);
  });
}

async function undo(records: Records, tx: StoredTx): Promise<void> {
  const { hash, inputs, outputs } = tx;
  const made = outputs.map((_, index) => ({ txHash: hash, index }));
  for (const address of new Set(outputs.map((output) => output.address)))
    await moveAt(records, address, { hash, inputs: made, outputs: [] });
  const assets = new Set(outputs.flatMap(({ amounts }) => Object.keys(amounts)));
  const addresses = new Set(outputs.map(({ address }) => address));
  for (const { txHash, index } of inputs) {
    await records.remove(PROVIDER, 'spent', `${txHash}#${index}`);
    const output = (await records.get<StoredTx>(PROVIDER, 'tx', txHash))?.outputs[index];
    if (!output) throw new Error(`${txHash} has no output ${index}`);
    for (const asset of Object.keys(output.amounts)) assets.add(asset);
    addresses.add(output.address);
    const back = { txHash, index, amounts: output.amounts };
    await moveAt(records, output.address, { hash, inputs: [], outputs: [] }, [back]);
  }
  for (const asset of assets) {
    const move = await records.get<StoredMove>(PROVIDER, 'move', `${asset} ${hash}`);
    if (!move) continue;
    await records.remove(PROVIDER, 'move', `${asset} ${hash}`);
    if (move.minted !== undefined)
      await supply(records, { asset, hash }, -BigInt(move.minted), 'undone');
  }
  for (const address of addresses) await records.remove(PROVIDER, 'visit', `${address} ${hash}`);
  await records.remove(PROVIDER, 'tx', hash);
}
