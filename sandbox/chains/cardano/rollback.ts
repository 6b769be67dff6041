import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput } from '#kernel/http/declare/schema.ts';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import {
  changing,
  heightOf,
  moveAt,
  PROVIDER,
  type StoredMove,
  type StoredTx,
  supply,
} from './sandbox-ledger.ts';

/** As far as the network itself may go back. */
const BLOCKS_MAX = 2160;
const PAGE = 100;

const Rollback = Type.Object({ blocks: integerInput(1, BLOCKS_MAX) });

/** `POST /cardano/rollback {blocks}`: answers the hashes that are in no block any more, the newest first. */
export function rollbackControl(server: FastifyInstance, world: World): void {
  server.post<{ Body: Static<typeof Rollback> }>(
    '/cardano/rollback',
    { schema: { body: Rollback } },
    async ({ body: { blocks } }) => ({ undone: await rollBack(world, blocks) }),
  );
}

/**
 * Takes the last blocks back, as a longer fork without their transactions does: the chain is as high as
 * before, what they had spent is there again, and what they had made is not. The first block stays.
 */
async function rollBack(world: World, blocks: number): Promise<string[]> {
  return changing(world, async (records) => {
    const last = (await heightOf(records, world.clock)) - blocks;
    const undone: string[] = [];
    for (;;) {
      const newest = await records.list<StoredTx>(PROVIDER, 'tx', { limit: PAGE });
      const late = newest.filter((tx) => tx.height > Math.max(last, 1));
      for (const tx of late) await undo(records, tx);
      undone.push(...late.map(({ hash }) => hash));
      if (late.length < PAGE) return undone;
    }
  });
}

async function undo(records: Records, tx: StoredTx): Promise<void> {
  const { hash, inputs, outputs } = tx;
  const made = outputs.map((_, index) => ({ txHash: hash, index }));
  for (const address of new Set(outputs.map((output) => output.address)))
    await moveAt(records, address, { hash, inputs: made, outputs: [] });
  const assets = new Set(outputs.flatMap(({ amounts }) => Object.keys(amounts)));
  for (const { txHash, index } of inputs) {
    await records.remove(PROVIDER, 'spent', `${txHash}#${index}`);
    const output = (await records.get<StoredTx>(PROVIDER, 'tx', txHash))?.outputs[index];
    if (!output) throw new Error(`${txHash} has no output ${index}`);
    for (const asset of Object.keys(output.amounts)) assets.add(asset);
    const back = { txHash, index, amounts: output.amounts };
    await moveAt(records, output.address, { hash, inputs: [], outputs: [] }, [back]);
  }
  for (const asset of assets) {
    const move = await records.get<StoredMove>(PROVIDER, 'move', `${asset} ${hash}`);
    if (!move) continue;
    await records.remove(PROVIDER, 'move', `${asset} ${hash}`);
    if (move.minted !== undefined) await supply(records, asset, -BigInt(move.minted));
  }
  await records.remove(PROVIDER, 'tx', hash);
}
