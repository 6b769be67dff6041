import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { loadLib } from '#chains/cardano/csl.ts';
import { integerInput } from '#kernel/http/declare/schema.ts';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import { growChain, slotOf } from './blocks.ts';
import { checkTransaction, Invalid, inputsOf, type Output } from './ledger-rules.ts';
import { paramsNow } from './parameters.ts';
import { changing, writeTransaction } from './sandbox-ledger.ts';
import { type NewTx, PROVIDER, type StoredTx } from './stored.ts';

/** The node takes no more for now; it may later. */
export class MempoolFull extends Error {
  override readonly name = 'MempoolFull';
}

interface Settings {
  /** Whether transactions wait for `POST /cardano/mempool/forge`; else each has a block at once. */
  readonly is_held: boolean;
  /** How many may wait. */
  readonly capacity: number;
}
const CAPACITY = 1000;
const USUAL: Settings = { is_held: false, capacity: CAPACITY };

const settingsOf = async (records: Pick<Records, 'get'>): Promise<Settings> =>
  (await records.get<Settings>(PROVIDER, 'mempool', 'mempool')) ?? USUAL;

/** What waits for a block, oldest first. */
export const pending = async (records: Pick<Records, 'list'>): Promise<NewTx[]> =>
  (await records.list<NewTx>(PROVIDER, 'pending', { limit: CAPACITY })).reverse();

/** Takes a transaction in, or throws `Invalid` with the rule that it breaks, or `MempoolFull`. */
export const submit = (world: World, raw: Buffer): Promise<string> =>
  changing(world, async (records) => {
    const { is_held, capacity } = await settingsOf(records);
    const waiting = await pending(records);
    const { tx } = await checked(records, world, raw, waiting);
    if (is_held && waiting.length >= capacity) throw new MempoolFull();
    await records.insert(PROVIDER, 'pending', tx.hash, tx);
    if (!is_held) await forge(records, world);
    return tx.hash;
  });

async function checked(
  records: Records,
  world: World,
  raw: Buffer,
  waiting: readonly NewTx[],
): Promise<{ tx: NewTx; spent: Output[] }> {
  const lib = await loadLib();
  const inputs = inputsOf(lib, raw);
  const spent = await Promise.all(inputs.map((input) => unspentAt(records, input, waiting)));
  const params = await paramsNow(records);
  const circumstances = { params, slot: BigInt(slotOf(world)), spent };
  const { size: _, ...tx } = checkTransaction(lib, raw, circumstances);
  return { tx: { ...tx, raw: raw.toString('hex') }, spent: spent.flatMap((o) => o ?? []) };
}

type Input = StoredTx['inputs'][number];

/** An output is there as soon as its transaction waits, and gone as soon as one that spends it does. */
async function unspentAt(
  records: Records,
  { txHash, index }: Input,
  waiting: readonly NewTx[],
): Promise<Output | undefined> {
  const isTaken = waiting.some(({ inputs }) =>
    inputs.some((input) => input.txHash === txHash && input.index === index),
  );
  if (isTaken || (await records.get(PROVIDER, 'spent', `${txHash}#${index}`))) return undefined;
  const made =
    waiting.find(({ hash }) => hash === txHash) ??
    (await records.get<StoredTx>(PROVIDER, 'tx', txHash));
  return made?.outputs[index];
}

/** One block of all that waits and is still good; answers the hashes of both, the oldest first. */
async function forge(
  records: Records,
  world: World,
): Promise<{ forged: string[]; dropped: string[] }> {
  const [forged, dropped]: [string[], string[]] = [[], []];
  const waiting = await pending(records);
  const block = await growChain(records, world);
  for (const { hash, raw } of waiting) {
    await records.remove(PROVIDER, 'pending', hash);
    try {
      const { tx, spent } = await checked(records, world, Buffer.from(raw, 'hex'), []);
      const place = { ...block, index: forged.length };
      await writeTransaction(records, world, tx, { spent, place });
      forged.push(hash);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      dropped.push(hash);
    }
  }
  return { forged, dropped };
}

const drop = (world: World): Promise<{ dropped: string[] }> =>
  changing(world, async (records) => {
    const dropped = (await pending(records)).map(({ hash }) => hash);
    for (const hash of dropped) await records.remove(PROVIDER, 'pending', hash);
    return { dropped };
  });

/** Back to where it came from, as a node does with what a fork has dropped. */
export async function putBack(records: Records, tx: StoredTx): Promise<void> {
  const { hash, fee, raw, inputs, outputs, interval, minted } = tx;
  // What the faucet gave was no transaction of anyone's.
  if (raw === '') return;
  const back = { hash, fee, raw, inputs, outputs, ...(interval && { interval }) };
  await records.insert(PROVIDER, 'pending', hash, { ...back, ...(minted && { minted }) });
}

const Change = Type.Object({
  is_held: Type.Boolean(),
  capacity: Type.Optional(integerInput(0, CAPACITY)),
});

/** `POST /cardano/mempool`, and what becomes of what waits in it. */
export function mempoolControls(server: FastifyInstance, world: World): void {
  server.post<{ Body: Static<typeof Change> }>(
    '/cardano/mempool',
    { schema: { body: Change } },
    async ({ body }) => {
      const settings: Settings = { ...USUAL, ...body };
      await changing(world, async (records) => {
        await records.remove(PROVIDER, 'mempool', 'mempool');
        await records.insert(PROVIDER, 'mempool', 'mempool', settings);
        if (!settings.is_held) await forge(records, world);
      });
      return settings;
    },
  );
  server.post('/cardano/mempool/forge', async () =>
    changing(world, (records) => forge(records, world)),
  );
  server.post('/cardano/mempool/drop', async () => drop(world));
}
