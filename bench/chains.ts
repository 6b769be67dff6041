import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Address, createPublicClient, createWalletClient, erc20Abi, http } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { createNetwork } from '#chains/evm/network.ts';
import { platformKeys } from '#chains/evm/port.ts';
import { embeddedDir } from '#embedded/embedded.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { DEMO } from '#src/app/seed.ts';
import { embeddedNodes } from '../sandbox/chains/evm/embedded-node.ts';
import { createFleet } from './http/fleet.ts';
import { memoryOf } from './memory.ts';
import {
  type Burst,
  compare,
  createMeter,
  interleave,
  median,
  pairedRatio,
  type Size,
} from './meter.ts';
import type { Place } from './place.ts';
import { atLeast, atMost, type BenchRow, reported } from './row.ts';
import { countRpcCalls } from './rpc-calls.ts';
import { type Started, startService } from './service-process.ts';
import { NO_NODES } from './start.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const SIZE: Size = { rounds: 5, ms: 1500 };
const TRANSFERS_IN_FLIGHT = 16;
const READS_IN_FLIGHT = 4;

/** The EVM chains: the overhead of our signer, our reads and our nodes over the nodes themselves. */
export async function runChainBench(place: Place): Promise<BenchRow[]> {
  return [
    ...(await transfers(place)),
    ...(await balances(place)),
    ...(await starts(place)),
    ...(await countRpcCalls(place)),
  ];
}

/** Both to the end: sent, and the receipt seen. Ours are journalled, and each happens once. */
async function transfers({ url, dir }: Place): Promise<BenchRow[]> {
  const { db, close } = openDatabase(url);
  const log = { info() {}, warn() {}, error() {} };
  const keys = platformKeys(MNEMONIC);
  const network = createNetwork({
    db,
    nodes: embeddedNodes,
    log,
    keys,
    dataDir: join(dir, 'transfers'),
  });
  try {
    const chain = network.chains.amoy;
    const client = await chain.client();
    const transport = http(await chain.url(), { batch: true });
    // The faucet's key, which has coins and no other sends here.
    const account = mnemonicToAccount(MNEMONIC, { addressIndex: 4 });
    const wallet = createWalletClient({ account, chain: client.chain, transport });
    const gasPrice = (await client.getGasPrice()) * 2n;
    let nonce = await client.getTransactionCount({ address: account.address });
    const to = keys.treasury.address;
    const meter = await createMeter();
    const ours = async () => {
      const reference = `bench:${randomUUID()}`;
      await chain.sender.execute({ signer: keys.hot, to, value: 1n, reference, purpose: 'bench' });
      return 1;
    };
    const raw = async () => {
      const bare = {
        to,
        value: 1n,
        nonce: nonce++,
        gas: 21_000n,
        gasPrice,
        type: 'legacy',
      } as const;
      const hash = await wallet.sendTransaction(bare);
      await client.waitForTransactionReceipt({ hash });
      return 1;
    };
    const bursts = await interleave(
      meter.burst,
      [
        { name: 'ours', inFlight: TRANSFERS_IN_FLIGHT, once: ours },
        { name: 'viem', inFlight: TRANSFERS_IN_FLIGHT, once: raw },
      ],
      SIZE,
    );
    const { rate, against } = compare(bursts);
    return [
      atLeast({
        bar: 'N1',
        what: 'transactions from one wallet, rate of viem without a journal',
        measured: rate('ours', 'viem'),
        limit: 0.4,
        note: against('ours', 'viem'),
      }),
    ];
  } finally {
    await network.stop();
    await close();
  }
}

/** A wallet with an address on each chain, through the whole service. */
async function balances({ dir }: Place): Promise<BenchRow[]> {
  const home = join(dir, 'balances');
  const service = await startService({ DATA_DIR: home, RATE_LIMITS: 'off' });
  const fleet = createFleet(dir, {});
  try {
    const chains = await chainsOf(service);
    const { bw_id, addresses, head } = await openWallet(service);
    const request = [`GET /api/wallets/${bw_id}/balance HTTP/1.1`, ...head, '', ''].join('\r\n');
    const target = { ports: [service.port], requests: [request] };
    const meter = await createMeter();
    const reads = chains.map(({ chain_id, rpc_url, usdc }) => {
      const client = createPublicClient({ transport: http(rpc_url, { batch: true }) });
      const owner = addresses.get(chain_id);
      if (!owner) throw new Error(`The wallet has no address on ${chain_id}`);
      const contract = { address: usdc, abi: erc20Abi, functionName: 'balanceOf' } as const;
      return () =>
        Promise.all([
          client.getBalance({ address: owner }),
          client.multicall({ deployless: true, contracts: [{ ...contract, args: [owner] }] }),
        ]);
    });
    const raw = {
      name: 'raw',
      inFlight: READS_IN_FLIGHT,
      async once() {
        await Promise.all(reads.map((read) => read()));
        return 1;
      },
    };
    const order = { target: 'balance', connections: READS_IN_FLIGHT };
    const variants = [
      { name: 'ours', burst: (ms: number) => fleet.load({ ...order, ms }, target) },
      { name: 'raw', burst: undefined },
    ];
    const bursts = await interleave(
      ({ burst }, ms): Promise<Burst> =>
        burst ? meter.watch([service.pid], () => burst(ms)) : meter.burst(raw, ms),
      variants,
      SIZE,
    );
    const { rate, against } = compare(bursts);
    const memory = memoryOf(service.pid, embeddedDir(home));
    const parts = Object.entries(memory).map(([part, mb]) => `${part} ${Math.round(mb)}`);
    return [
      atLeast({
        bar: 'N2',
        what: 'GET balance on three chains, rate of three raw multicalls',
        measured: rate('ours', 'raw'),
        limit: 0.35,
        note: against('ours', 'raw'),
      }),
      reported({
        bar: '',
        what: 'memory of the service with three nodes',
        unit: 'MB',
        note: parts.join(', '),
        measured: Object.values(memory).reduce((sum, mb) => sum + mb, 0),
      }),
    ];
  } finally {
    await fleet.stop();
    await service.stop();
  }
}

/** The delay of the service's first answer for starting nodes. */
async function starts({ dir }: Place): Promise<BenchRow[]> {
  const home = { DATA_DIR: join(dir, 'balances') };
  const plain: number[] = [];
  const nodes: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    plain.push(await once({ ...home, ...NO_NODES }));
    const start = performance.now();
    const withNodes = await once(home, async (service) => {
      await chainsOf(service);
      whole.push((performance.now() - start) / 1000);
    });
    nodes.push(withNodes);
  }
  return [
    atMost({
      bar: 'N3',
      what: 'a start with three nodes, of one without',
      limit: 2,
      measured: pairedRatio(nodes, plain),
      note: `${median(nodes).toFixed(1)} s against ${median(plain).toFixed(1)} s; the nodes themselves answer after ${median(whole).toFixed(1)} s`,
    }),
  ];
}

async function once(
  env: Readonly<Record<string, string>>,
  use: (service: Started) => Promise<void> = async () => {},
): Promise<number> {
  const service = await startService(env);
  await use(service).finally(service.stop);
  return service.seconds;
}

interface Chain {
  readonly chain_id: string;
  readonly rpc_url: string;
  readonly usdc: Address;
}

/** The used fields of the service's answers; the service has checked them by its schemas. */
interface Answer {
  readonly data: {
    readonly token: string;
    readonly user: { readonly user_id: number };
    readonly bw_id: number;
    readonly wallet_address: Address;
  };
}

/** Resolves when all of them answer. */
async function chainsOf({ sandboxUrl }: Started): Promise<Chain[]> {
  const reply = await fetch(`${sandboxUrl}/chains`);
  if (!reply.ok) throw new Error(`The chains do not start: ${await reply.text()}`);
  return (await reply.json()) as Chain[];
}

async function openWallet({ apiUrl }: Started) {
  const head = ['host: localhost', `x-api-key: ${DEMO.apiKey}`];
  const call = async (path: string, body: object) => {
    const headers = Object.fromEntries(head.map((line) => line.split(': ') as [string, string]));
    const reply = await fetch(`${apiUrl}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await reply.json()) as Answer;
    if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { email: usernameoremail, password } = DEMO.user;
  const login = await call('/auth/login', { usernameoremail, password });
  head.push(`authorization: Bearer ${login.data.token}`);
  const opened = { user_id: login.data.user.user_id, wallet_name: 'Bench' };
  const chains = ['sepolia', 'amoy', 'neon'];
  const wallet = await call('/manual/wallets/crypto', { ...opened, chain_id: chains[0] });
  const { bw_id } = wallet.data;
  const addresses = new Map<string, Address>();
  for (const chain_id of chains) {
    const made = await call(`/manual/wallets/crypto/${bw_id}/address`, { chain_id });
    addresses.set(chain_id, made.data.wallet_address);
  }
  return { bw_id, addresses, head };
}
