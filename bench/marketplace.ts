import { join } from 'node:path';
import { mintTokenCall, transferCall } from '#chains/evm/contracts/port.ts';
import { followEvents } from '#chains/evm/following/port.ts';
import { createNetwork } from '#chains/evm/network.ts';
import { type EvmChain, platformKeys } from '#chains/evm/port.ts';
import { paymentFollower } from '#features/commerce/marketplace/orders/follow.ts';
import { createClock } from '#kernel/clock.ts';
import { type Db, openDatabase, run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { embeddedNodes } from '../sandbox/chains/evm/embedded-node.ts';
import type { Place } from './place.ts';
import { type BenchRow, reported } from './row.ts';
import { type Started, startService } from './service-process.ts';
import { NO_NODES } from './start.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const ORDERS = 2000;
const UNITS = 10_000_000n;
const SENT_AT_ONCE = 25;
const SEARCHES_MS = 4_000;
const IN_FLIGHT = 16;

/** The marketplace: the time of a search, and the payments a second that the follower books. */
export async function runMarketplaceBench(place: Place): Promise<BenchRow[]> {
  return [...(await searches(place)), await followed(place)];
}

async function searches({ dir }: Place): Promise<BenchRow[]> {
  const home = { ...NO_NODES, DATA_DIR: join(dir, 'searches'), RATE_LIMITS: 'off' };
  const service = await startService(home);
  try {
    const first = await timeOf(() => search(service, 'leather wallet'));
    const words = [
      'batik',
      'wooden',
      'leather',
      'silver',
      'ceramic',
      'bamboo',
      'vintage',
      'natural',
    ];
    const things = ['ring', 'spoon', 'shirt', 'mug', 'basket', 'lamp', 'clock', 'rug'];
    const times: number[] = [];
    for (const word of words)
      for (const thing of things)
        times.push(await timeOf(() => search(service, `${word} ${thing}`)));
    times.sort((a, b) => a - b);
    const start = performance.now();
    let done = 0;
    const one = async () => {
      for (; performance.now() - start < SEARCHES_MS; done += 1)
        await search(service, 'batik ring');
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, one));
    const rate = done / ((performance.now() - start) / 1000);
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
    const row = (what: string, measured: number, unit: string) =>
      reported({ bar: '', what, measured, unit });
    return [
      row('first search: library, model, both marketplaces', first, 'ms'),
      row('new search over both marketplaces, p50', at(0.5), 'ms'),
      row('new search over both marketplaces, p95', at(0.95), 'ms'),
      row('searches for what is known', rate, '/s'),
    ];
  } finally {
    await service.stop();
  }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function search({ apiUrl }: Started, query: string): Promise<void> {
  const reply = await fetch(`${apiUrl}/marketplace/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, sources: ['marketplace_1', 'marketplace_2'], limit: 20 }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(text);
}

/** Transfers already on chain, each for an order of its own. */
async function followed({ url, dir }: Place): Promise<BenchRow> {
  const { db, close } = openDatabase(url);
  const log = { info() {}, warn() {}, error() {} };
  const keys = platformKeys(MNEMONIC);
  const network = createNetwork({
    db,
    nodes: embeddedNodes,
    log: log as never,
    keys,
    dataDir: join(dir, 'followed'),
  });
  try {
    const chain = network.chains.amoy;
    await makeOrders(db, chain, keys.faucet.address);
    await pay(chain, keys);
    const clock = createClock();
    const sweeps = { begin: async () => undefined };
    const watching = { clock, log: log as never, evm: network, sweeps };
    const follower = paymentFollower(watching);
    const seconds =
      (await timeOf(async () => void (await followEvents({ db, clock, log }, follower, chain)))) /
      1000;
    const [paid] = await run<{ n: number }>(
      db,
      "select count(*) as n from marketplace_orders where payment_status = 'PAID'",
      [],
    );
    if (paid?.n !== ORDERS) throw new Error(`${paid?.n} of ${ORDERS} orders are paid`);
    const { broken } = await verifyLedger(db);
    if (broken.length > 0) throw new Error(`The ledger is broken: ${broken[0]?.rule}`);
    const what = `payments on chain followed, matched and booked, of ${ORDERS}`;
    return reported({ bar: '', what, measured: ORDERS / seconds, unit: '/s' });
  } finally {
    await network.stop();
    await close();
  }
}

async function makeOrders(db: Db, { info, contracts }: EvmChain, payer: string): Promise<void> {
  const made = `with c as (insert into clients (client_code, email, client_alias, client_type, country_code, phone)
      values ('CL-200001-0001', 'bench@example.test', 'Bench', 'BUSINESS', 'US', '+15550100') returning client_id)
    insert into users (client_id, username, email, phone, role, password_hash)
    select client_id, 'bench', 'bench@example.test', '+15550101', 'user', 'x' from c returning user_id, client_id`;
  const [user] = await run<{ user_id: number; client_id: number }>(db, made, []);
  await run(
    db,
    `insert into marketplace_orders (order_id, operation, user_id, client_id, ordinal, source, product,
       vendor, recipient, is_known, original_units, original_currency, usd_units, shipping_units,
       total_units, units, chain_id, wallet_address, contract_address, token_address, page_key,
       expires_at, created_at)
     select 'MKT-' || (1700000000000 + n) || '-' || lpad(n::text, 8, '0'), gen_random_uuid(), $1, $2, n,
       'marketplace_1', '{}', '{}', '{}', true, 1000, 'USD', 1000, 0, 1000, $3, $4, $5, $6, $7,
       repeat('k', 24), service_now() + interval '1 day', service_now() - interval '1 hour'
     from generate_series(1, ${ORDERS}) as n`,
    [
      ...[user?.user_id, user?.client_id, UNITS.toString(), info.key, payer],
      ...[contracts.marketplace, contracts.usdc],
    ],
  );
}

async function pay(chain: EvmChain, keys: ReturnType<typeof platformKeys>): Promise<void> {
  const { usdc, marketplace } = chain.contracts;
  await chain.sender.execute({
    signer: keys.hot,
    reference: 'bench:mint',
    purpose: 'bench',
    ...mintTokenCall(usdc, keys.faucet.address, UNITS * BigInt(ORDERS)),
  });
  for (let i = 0; i < ORDERS; i += SENT_AT_ONCE)
    await Promise.all(
      Array.from({ length: SENT_AT_ONCE }, (_, k) =>
        chain.sender.execute({
          signer: keys.faucet,
          reference: `bench:${i + k}`,
          purpose: 'bench',
          ...transferCall(usdc, marketplace, UNITS),
        }),
      ),
    );
}
