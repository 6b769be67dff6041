import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import { missing } from './answers.ts';
import { type Place, PROVIDER, type StoredTx } from './stored.ts';

interface Tip {
  readonly height: number;
  /** When the last transaction was taken in; empty blocks follow it. */
  readonly time?: number;
  /** From which heights on the chain is another one than before, once for each fork. */
  readonly forks?: readonly number[];
}

/** Slots are seconds since the test network began. */
const SLOT_ZERO = 1_655_683_200;
export const slotOf = ({ clock }: Pick<World, 'clock'>): number => clock.seconds() - SLOT_ZERO;

/** Preprod began with four epochs of another length, which end at this slot. */
const [FIRST_EPOCH, FIRST_SLOT, EPOCH_SLOTS] = [4, 86_400, 432_000];
export function epochOf(slot: number) {
  const epoch = FIRST_EPOCH + Math.floor((slot - FIRST_SLOT) / EPOCH_SLOTS);
  const first = FIRST_SLOT + (epoch - FIRST_EPOCH) * EPOCH_SLOTS;
  return { epoch, first, last: first + EPOCH_SLOTS, epoch_slot: slot - first };
}

/** The network makes a block in twenty seconds, with something in it or not. */
const BLOCK_S = 20;

const readTip = (records: Pick<Records, 'get'>) => records.get<Tip>(PROVIDER, 'tip', 'tip');

/** Of the newest block. */
export async function heightOf(
  records: Pick<Records, 'get'>,
  clock: World['clock'],
): Promise<number> {
  const tip = await readTip(records);
  return tip ? grown(tip, clock.seconds()) : 0;
}

const grown = ({ height, time }: Tip, now: number): number =>
  height + Math.max(0, Math.floor((now - (time ?? now)) / BLOCK_S));

/** A block of its own for what comes now. */
export async function growChain(records: Records, { clock }: World): Promise<Place> {
  const time = clock.seconds();
  const tip = await records.update<Tip>(PROVIDER, 'tip', 'tip', (old) => ({
    ...old,
    height: grown(old, time) + 1,
    time,
  }));
  return { height: tip?.height ?? 0, time, index: 0 };
}

/** From that height on all blocks are others. */
export async function forkChain(records: Records, height: number): Promise<void> {
  const fork = (tip: Tip): Tip => ({ ...tip, forks: [...(tip.forks ?? []), height] });
  await records.update<Tip>(PROVIDER, 'tip', 'tip', fork);
}

const DIGITS = 8;
/** Its last digits are its height, so that it is found by its hash without a record of it. */
function hashAt({ forks = [] }: Tip, height: number): string {
  const fork = forks.filter((from) => from <= height).length;
  const digest = createHash('sha256').update(`archipay cardano block ${height} ${fork}`);
  return digest.digest('hex').slice(0, -DIGITS) + height.toString(16).padStart(DIGITS, '0');
}

/** The hashes of blocks by their heights. */
export async function blockHashes(records: Records): Promise<(height: number) => string> {
  const tip = (await readTip(records)) ?? { height: 0 };
  return (height) => hashAt(tip, height);
}

/** The newest transaction at that height or below. */
async function newestUpTo(records: Records, height: number): Promise<StoredTx | undefined> {
  let before: string | undefined;
  for (;;) {
    const options = { limit: 1000, ...(before && { before }) };
    const rows = await records.list<StoredTx>(PROVIDER, 'tx', options);
    const found = rows.find((tx) => tx.height <= height);
    if (found || rows.length < 1000) return found;
    before = rows.at(-1)?.hash;
  }
}

/** As Blockfrost shows it; nothing where the chain has none of that height, or of that hash. */
async function shownBlock(world: World, wanted: string): Promise<object | undefined> {
  const { records, clock } = world;
  const tip = await readTip(records);
  if (!tip) return undefined;
  const newest = grown(tip, clock.seconds());
  const height = heightNamed(wanted, newest);
  if (height === undefined || height > newest) return undefined;
  const hash = hashAt(tip, height);
  if (wanted.length === hash.length && wanted !== hash) return undefined;
  const last = await newestUpTo(records, height);
  const within = await records.list<StoredTx>(PROVIDER, 'tx', { limit: 1000, where: { height } });
  const time = within[0]?.time ?? timeOfEmpty(last, height, tip);
  const slot = time - SLOT_ZERO;
  const { epoch, epoch_slot } = epochOf(slot);
  const sum = (of: (tx: StoredTx) => bigint) => within.reduce((total, tx) => total + of(tx), 0n);
  const coins = (tx: StoredTx) =>
    tx.outputs.reduce((all, { amounts }) => all + BigInt(amounts['lovelace'] ?? 0), 0n);
  const isEmpty = within.length === 0;
  return {
    time,
    height,
    hash,
    slot,
    epoch,
    epoch_slot,
    slot_leader: 'pool1pu5jlj4q9w9jlxeu370a3c9myx47md5j5m2str0naunn2qnikdy',
    size: within.reduce((all, { raw }) => all + raw.length / 2, HEADER_BYTES),
    tx_count: within.length,
    output: isEmpty ? null : String(sum(coins)),
    fees: isEmpty ? null : String(sum(({ fee }) => BigInt(fee))),
    block_vrf: 'vrf_vk1wf2k6lhujezqcfe00l6zetxpnmh9n6mwhpmhm0dvfh3fxgmdnrfqkms8ty',
    op_cert: 'da905277534faf75dae41732650568af545134ee08a3c0392dbefc8096ae177c',
    op_cert_counter: '18',
    previous_block: height > 0 ? hashAt(tip, height - 1) : null,
    next_block: height < newest ? hashAt(tip, height + 1) : null,
    confirmations: newest - height,
  };
}

const HEADER_BYTES = 860;

function timeOfEmpty(last: StoredTx | undefined, height: number, tip: Tip): number {
  const from = last ?? { height: tip.height, time: tip.time ?? SLOT_ZERO };
  return from.time + (height - from.height) * BLOCK_S;
}

function heightNamed(wanted: string, newest: number): number | undefined {
  if (wanted === 'latest') return newest;
  if (/^[0-9]{1,10}$/.test(wanted)) return Number(wanted);
  return /^[0-9a-f]{64}$/.test(wanted) ? Number.parseInt(wanted.slice(-DIGITS), 16) : undefined;
}

/** Blockfrost's blocks and epochs. */
export function blockRoutes(server: FastifyInstance, world: World): void {
  server.get(
    '/blocks/latest',
    async (_, reply) => (await shownBlock(world, 'latest')) ?? missing(reply),
  );
  server.get<{ Params: { hash_or_number: string } }>(
    '/blocks/:hash_or_number',
    async ({ params }, reply) => (await shownBlock(world, params.hash_or_number)) ?? missing(reply),
  );
  server.get('/blocks/latest/txs', async () => {
    const height = await heightOf(world.records, world.clock);
    const within = await world.records.list<StoredTx>(PROVIDER, 'tx', { where: { height } });
    return within.map(({ hash }) => hash).reverse();
  });
  server.get('/genesis', async () => ({
    active_slots_coefficient: 0.05,
    update_quorum: 5,
    max_lovelace_supply: '45000000000000000',
    network_magic: 1,
    epoch_length: EPOCH_SLOTS,
    system_start: 1_654_041_600,
    slots_per_kes_period: 129_600,
    slot_length: 1,
    max_kes_evolutions: 62,
    security_param: 2160,
  }));
  server.get('/', async () => ({ url: 'https://blockfrost.io/', version: '0.1.92' }));
  server.get('/health', async () => ({ is_healthy: true }));
  server.get('/health/clock', async () => ({ server_time: world.clock.now().getTime() }));
}
