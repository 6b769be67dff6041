import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { SHARED_SECRETS } from '#test/agent-process.ts';
import { type AppProcess, appProcess, nodesOf } from '#test/app-process.ts';
import { emittedTypes } from '#test/emitted-events.ts';
import { type Body, harness } from '#test/harness.ts';
import { booked, payerOn, paymentDesk, shopper, unitsOf } from '#test/marketplace.ts';

/** Payments are followed by processes of their own, which are killed; this one only looks on. */
const h = await harness({ ...SHARED_SECRETS, config: { JWT_TTL: '1000000' } });
const desk = await paymentDesk(h);
const shop = shopper(h, await h.user());
const payer = await payerOn(h, 'sepolia');

async function worker(): Promise<AppProcess> {
  const process = await appProcess({
    databaseUrl: String(h.kernel.pool.options.connectionString),
    secrets: {
      MASTER_KEY: SHARED_SECRETS.masterKey,
      JWT_SECRET: SHARED_SECRETS.jwtSecret,
      EVM_MNEMONIC: 'test test test test test test test test test test test junk',
    },
    aheadMs: h.clock.offsetMs,
    settings: {
      NODE_ENV: 'test',
      ROLE: 'worker',
      SANDBOX_PORT: '0',
      SANDBOX_SMTP_PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      DATA_DIR: h.dataDir,
      ...(await nodesOf(h)),
    },
  });
  onTestFinished(async () => void (await process.end('SIGKILL')));
  return process;
}

const paidOrders = async (count: number): Promise<Body[]> => {
  const orders: Body[] = [];
  for (let i = 0; i < count; i += 1) orders.push(await shop.ordered(payer.address));
  for (const order of orders) await payer.pay(order.order_id, unitsOf(order));
  return orders;
};
const untilPaid = (orders: readonly Body[]) =>
  expect
    .poll(
      async () => {
        const read = await Promise.all(orders.map(({ order_id }) => shop.read(order_id)));
        return new Set(read.map(({ payment_status }) => payment_status));
      },
      { timeout: 120_000 },
    )
    .toEqual(new Set(['PAID']));

/** Each was counted, posted and told of once. */
async function expectOnce(orders: readonly Body[]): Promise<void> {
  for (const { order_id } of orders)
    expect(await emittedTypes(h, 'marketplace_order', order_id)).toEqual([
      'marketplace_order.created',
      'marketplace_order.paid',
    ]);
  const rounds = await run(
    h.db,
    'select distinct round, state, refund from marketplace_payments',
    [],
  );
  expect(rounds).toEqual([{ round: 1, state: 'COUNTED', refund: 'NONE' }]);
  expect(await desk.owed()).toEqual([]);
}

let sum = 0n;
const add = (orders: readonly Body[]) => {
  for (const order of orders) sum += unitsOf(order);
};

test('one process at a time follows the payments; when it is killed in the middle, another goes on', async () => {
  const orders = await paidOrders(1);
  add(orders);
  const workers = [await worker()];
  await untilPaid(orders);
  const stopped = await stopping();
  onTestFinished(stopped.release);
  const more = await paidOrders(3);
  add(more);
  const leader = await stopped.next();
  await workers.shift()?.end('SIGKILL');
  workers.push(await worker(), await worker());
  const successor = await stopped.next();
  expect(successor).not.toBe(leader);
  // Nobody else tries at the same time.
  expect(await stopped.waiting()).toEqual([]);
  await stopped.release();
  await untilPaid(more);
  await expectOnce([...orders, ...more]);
  expect(await booked(h, 'owed')).toBe(sum);
});

test('killed again and again while people pay, they count every payment once', async () => {
  const workers = [await worker(), await worker()];
  const all: Body[] = [];
  for (let kill = 0; kill < 3; kill += 1) {
    const orders = await paidOrders(3);
    all.push(...orders);
    add(orders);
    await untilPaid(orders.slice(0, 1));
    await workers.shift()?.end('SIGKILL');
    workers.push(await worker());
  }
  await untilPaid(all);
  await expectOnce(all);
  expect(await booked(h, 'owed')).toBe(sum);
});

/** Holds the place up to which payments are known, so that whoever is about to move on waits in its transaction. */
async function stopping() {
  // No session of the pool: those are cut off where they say nothing for a minute.
  const client = new pg.Client({
    connectionString: h.kernel.pool.options.connectionString,
    idle_in_transaction_session_timeout: 0,
  });
  await client.connect();
  await client.query('begin');
  await client.query('select from chain_followers for update');
  const gone: number[] = [];
  /** The sessions that wait for it, of processes that are not known to be dead. */
  const waiting = async (): Promise<number[]> => {
    const { rows } = await h.kernel.pool.query(
      `select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and query ilike 'update chain_followers%' and pid <> all ($1)`,
      [gone],
    );
    return rows.map(({ pid }) => pid);
  };
  let isHeld = true;
  return {
    waiting,
    async next(): Promise<number> {
      await expect.poll(async () => (await waiting()).length, { timeout: 120_000 }).toBe(1);
      const [pid = 0] = await waiting();
      gone.push(pid);
      return pid;
    },
    async release(): Promise<void> {
      if (!isHeld) return;
      isHeld = false;
      await client.query('rollback');
      await client.end();
    },
  };
}
