import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Address } from 'viem';
import { mintTokenCall } from '#chains/evm/contracts/port.ts';
import { createNetwork } from '#chains/evm/network.ts';
import { platformKeys } from '#chains/evm/port.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { DEMO } from '#src/app/seed.ts';
import { embeddedNodes } from '../sandbox/chains/evm/embedded-node.ts';
import type { Place } from './place.ts';
import { atMost, type BenchRow } from './row.ts';
import { startService } from './service-process.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const ROUNDS = 5;
const TO = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Their numbers at commit 0213257, where a balance was read three times and the call simulated twice. */
const BEFORE = 17;
/** The limit of each; another call is a decision, not an accident. */
const LIMIT = { send: 10, burn: 10 } as const;

/** JSON-RPC calls from a request to its answer, as a node outside the service counts them. */
export async function countRpcCalls({ url, dir }: Place): Promise<BenchRow[]> {
  const { db, close } = openDatabase(url);
  const keys = platformKeys(MNEMONIC);
  const log = { info() {}, warn() {}, error() {} };
  const network = createNetwork({
    db,
    nodes: embeddedNodes,
    log,
    keys,
    dataDir: join(dir, 'counted'),
  });
  const chain = network.chains.sepolia;
  const counter = await countingNode(await chain.url());
  const service = await startService({
    DATA_DIR: join(dir, 'counting'),
    MOCK_MODE: 'false',
    RATE_LIMITS: 'off',
    EVM_MNEMONIC: MNEMONIC,
    EVM_SEPOLIA_RPC_URL: counter.url,
  });
  try {
    const call = await logIn(service.apiUrl);
    const { user_id, wallet_address } = await openWallet(call);
    const give = { signer: keys.faucet, purpose: 'bench' };
    const usdc = mintTokenCall(chain.contracts.usdc, wallet_address, 10n ** 9n);
    await chain.sender.execute({ ...give, ...usdc, reference: 'bench:usdc' });
    const coins = { to: wallet_address, value: 10n ** 19n };
    await chain.sender.execute({ ...give, ...coins, reference: 'bench:coins' });
    const fewest = async (make: () => Promise<() => Promise<unknown>>): Promise<number> => {
      const counts: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const work = await make();
        const before = counter.calls();
        await work();
        counts.push(counter.calls() - before);
      }
      // The monitor of the chain calls as well, at times.
      return Math.min(...counts);
    };
    const send = await fewest(
      async () => () =>
        call('POST', '/onchain/execute', {
          wallet_address,
          chain_id: 'sepolia',
          token_symbol: 'USDC',
          amount: '1',
          token_contract: chain.contracts.usdc,
          to_address: TO,
        }),
    );
    const burn = await fewest(async () => {
      const { data } = await call('POST', '/crosschain/initiate', {
        user_id,
        amount: '10.00',
        token: 'USDC',
        recipient_address: TO,
        from_chain: 'sepolia',
        to_chain: 'amoy',
      });
      const { log_id, nonce } = data;
      return () => call('POST', '/crosschain/burn', { log_id, nonce });
    });
    return [row('send of USDC', send, LIMIT.send), row('burn', burn, LIMIT.burn)];
  } finally {
    await service.stop();
    counter.close();
    await network.stop();
    await close();
  }
}

const row = (what: string, measured: number, limit: number): BenchRow =>
  atMost({
    bar: 'N4',
    what: `JSON-RPC calls of a ${what}, to its answer`,
    unit: 'calls',
    measured,
    limit,
    note: `${BEFORE} at commit 0213257`,
  });

/** A node that counts its calls, each call of a batch separately. */
async function countingNode(target: string) {
  let calls = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    const parsed: unknown = JSON.parse(body);
    calls += Array.isArray(parsed) ? parsed.length : 1;
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(target, { method: 'POST', headers, body });
    response.writeHead(reply.status, headers).end(await reply.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls: () => calls,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The used fields of the answers; the service has checked them by its schemas. */
interface Answer {
  readonly data: {
    readonly token: string;
    readonly user: { readonly user_id: number };
    readonly bw_id: number;
    readonly wallet_address: Address;
    readonly log_id: string;
    readonly nonce: string;
  };
}
type Call = (method: string, path: string, body: object) => Promise<Answer>;

async function logIn(apiUrl: string): Promise<Call & { readonly user_id: number }> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-api-key': DEMO.apiKey,
  };
  const call: Call = async (method, path, body) => {
    const reply = await fetch(`${apiUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    const answer = (await reply.json()) as Answer;
    if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { email: usernameoremail, password } = DEMO.user;
  const { data } = await call('POST', '/auth/login', { usernameoremail, password });
  headers['authorization'] = `Bearer ${data.token}`;
  return Object.assign(call, { user_id: data.user.user_id });
}

async function openWallet(call: Call & { readonly user_id: number }) {
  const { user_id } = call;
  const opened = { user_id, wallet_name: 'Counted', chain_id: 'sepolia' };
  const wallet = await call('POST', '/manual/wallets/crypto', opened);
  const path = `/manual/wallets/crypto/${wallet.data.bw_id}/address`;
  const made = await call('POST', path, { chain_id: 'sepolia' });
  return { user_id, wallet_address: made.data.wallet_address };
}
