import { join } from 'node:path';
import { openDatabase } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { DEMO } from '#src/app/seed.ts';
import { createMeter } from './meter.ts';
import type { Place } from './place.ts';
import { atMost, type BenchRow, reported } from './row.ts';
import { type Started, startService } from './service-process.ts';

const ORDERS = 200;
const WALLETS = 8;
const CHAIN = 'neon';
/** A send on chain by a managed wallet; an order contains two. */
const SENDS = 200;

/**
 * Orders of web shops: stored, and then paid on chain, sold, recorded on chain and confirmed by mail, from
 * several wallets side by side; beside plain sends from the same wallets. Service, shop and chain share the
 * machine.
 */
export async function runPurchaseBench({ url, dir }: Place): Promise<BenchRow[]> {
  const { db, pool, close } = openDatabase(url);
  const home = { DATABASE_URL: url, DATA_DIR: join(dir, 'purchases'), RATE_LIMITS: 'off' };
  const service = await startService(home);
  try {
    const shop = await shopper(service);
    const wallets = await Promise.all(Array.from({ length: WALLETS }, shop.wallet));
    // Contracts, allowances and lazily loaded libraries are ready.
    for (const wallet of wallets) await shop.execute(wallet, await shop.order(wallet));
    const meter = await createMeter(pool);
    const measured = async (count: number, act: (wallet: string) => Promise<unknown>) => {
      const waits: number[] = [];
      return meter.watch([service.pid], async () => {
        const start = performance.now();
        await side(wallets, count, async (wallet) => {
          const begun = performance.now();
          await act(wallet);
          waits.push(performance.now() - begun);
        });
        waits.sort((a, b) => a - b);
        const seconds = (performance.now() - start) / 1000;
        return { units: count, seconds, p50Ms: waits[count >> 1] ?? Number.NaN };
      });
    };
    const orders = new Map(wallets.map((wallet): [string, string[]] => [wallet, []]));
    const written = await measured(ORDERS, async (wallet) => {
      orders.get(wallet)?.push(await shop.order(wallet));
    });
    const sent = await measured(SENDS, shop.send);
    const executed = await measured(ORDERS, async (wallet) => {
      const order_id = orders.get(wallet)?.pop() ?? (await shop.order(wallet));
      await shop.execute(wallet, order_id);
    });
    const { broken } = await verifyLedger(db);
    if (broken.length > 0) throw new Error(`The ledger is broken: ${broken[0]?.rule}`);
    const cpuMs = ({ nodeUs, serverUs }: typeof sent) => (nodeUs + serverUs) / 1000;
    const p50 = ({ p50Ms }: typeof sent) => `p50 ${Math.round(p50Ms)} ms`;
    const row = (what: string, burst: typeof sent) =>
      reported({ bar: '', what, measured: burst.rate, unit: '/s', note: p50(burst) });
    return [
      row('orders written down, each with its price and its balance on chain', written),
      row(`orders executed from ${WALLETS} wallets, each paid, sold and recorded`, executed),
      row('sends of USDC from the same wallets', sent),
      atMost({
        bar: 'A1',
        what: 'an executed order, CPU of two sends',
        limit: PER_ORDER,
        measured: cpuMs(executed) / (2 * cpuMs(sent)),
        note: `${cpuMs(executed).toFixed(1)} ms against ${(2 * cpuMs(sent)).toFixed(1)} ms`,
      }),
    ];
  } finally {
    await service.stop();
    await close();
  }
}

/** A payment and a record are two transactions: the rest has to fit into the overhead of two sends. */
const PER_ORDER = 1;

/** So many of them, sequentially for each wallet. */
async function side(
  wallets: readonly string[],
  count: number,
  act: (wallet: string) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    wallets.map(async (wallet) => {
      for (let n = 0; n < count / wallets.length; n += 1) await act(wallet);
    }),
  );
}

const PRODUCT = {
  title: 'Desk lamp',
  priceText: '$1.00',
  url: 'https://shop.example/lamp',
  site: 'shop.example',
};
const RECIPIENT = { name: 'Siti Rahma', phone: '+6281200001111', address: 'Jl. Melati 1, Jakarta' };

/** What of the service's answers is used here; the service has checked them by its schemas. */
interface Answer {
  readonly data: {
    readonly token: string;
    readonly user: { readonly user_id: number };
    readonly bw_id: number;
    readonly wallet_address: string;
  };
  readonly product: object;
  readonly pricing: object;
  readonly order_id: string;
}

async function shopper({ apiUrl, sandboxUrl }: Started) {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-api-key': DEMO.apiKey,
  };
  const post = async (path: string, body: object, base = apiUrl): Promise<Answer> => {
    const reply = await fetch(`${base}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text || '{}') as Answer;
  };
  const { email: usernameoremail, password } = DEMO.user;
  const { data } = await post('/auth/login', { usernameoremail, password });
  headers['authorization'] = `Bearer ${data.token}`;
  const { user_id } = data.user;
  const chains = (await (await fetch(`${sandboxUrl}/chains`)).json()) as {
    readonly chain_id: string;
    readonly usdc: string;
  }[];
  const token_contract = chains.find(({ chain_id }) => chain_id === CHAIN)?.usdc;
  return {
    async wallet(): Promise<string> {
      const opened = { user_id, wallet_name: 'Shopping', chain_id: CHAIN };
      const { data: wallet } = await post('/manual/wallets/crypto', opened);
      const path = `/manual/wallets/crypto/${wallet.bw_id}/address`;
      const { data: made } = await post(path, { chain_id: CHAIN });
      const { wallet_address: address } = made;
      for (const [asset, amount] of Object.entries({ native: '5', USDC: '5000' }))
        await post('/faucet', { chain: CHAIN, address, asset, amount }, sandboxUrl);
      return address;
    },
    async order(wallet_address: string): Promise<string> {
      const { product, pricing } = await post('/mcp/step3a', { product: PRODUCT });
      const order = { product, pricing, recipient: RECIPIENT, wallet_address };
      return (await post('/mcp/create-order', order)).order_id;
    },
    execute: (wallet_address: string, order_id: string) =>
      post('/mcp/execute-order', { order_id, confirmation: 'I confirm', wallet_address }),
    send: (wallet_address: string) =>
      post('/onchain/execute', {
        wallet_address,
        chain_id: CHAIN,
        token_symbol: 'USDC',
        amount: '1',
        token_contract,
        to_address: '0x52908400098527886E0F7030069857D2E4169EE7',
      }),
  };
}
