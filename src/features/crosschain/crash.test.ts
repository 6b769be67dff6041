import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, expect, it } from 'vitest';
import { freshAddress, mover, someHash, usdcOf } from '#test/crosschain.ts';
import type { Orders } from '#test/crosschain-child.ts';
import { TEST_MNEMONIC } from '#test/evm.ts';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();
await h.drain();
const { sepolia, amoy } = h.app.evm.chains;
const rpcUrls = { sepolia: await sepolia.url(), amoy: await amoy.url() };
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Begins it in another process, and kills that where it hangs. */
async function beginAndKill(
  log_id: string,
  step: Orders['step'],
  hangs: Orders['hangs'],
): Promise<void> {
  const orders: Orders = {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    dataDir: h.dataDir,
    mnemonic: TEST_MNEMONIC,
    rpcUrls,
    aheadMs: h.clock.offsetMs,
    step,
    hangs,
    log_id,
    operation: randomUUID(),
  };
  const script = new URL('../../../test/crosschain-child.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const said = child.stdout ? once(child.stdout, 'data') : Promise.reject(new Error('no output'));
  const [text] = await Promise.race([said, once(child, 'exit')]);
  expect(String(text)).toBe('hangs\n');
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** The clock passes every lease, and the schedules have run. */
async function later(): Promise<void> {
  await h.advance(5 * 60);
  await h.drain();
}

const mined = async (like: string) =>
  (
    await h.db
      .selectFrom('chain_transactions')
      .select('status')
      .where('reference', 'like', like)
      .execute()
  ).map(({ status }) => status);

const statusOf = async (person: ReturnType<typeof mover>, log: { log_id: string }) =>
  (await person.details(log))[1].data.transaction.status;

/** A log-in that has not lapsed by the clock of the moment. */
const again = async (as: Person) => {
  const { user_id } = as;
  return mover(h, {
    ...as,
    ...(await h.kernel.sessions.open(h.db, { user_id, method: 'password' })),
  });
};

it.each(['before', 'sent', 'done'] as const)(
  'a burn whose process is killed (%s) happens once, with or without a repetition',
  async (hangs) => {
    const person = await again(await h.user());
    const recipient_address = freshAddress();
    const [left, repeated] = [
      await person.begun({ recipient_address }),
      await person.begun({ recipient_address }),
    ];
    await Promise.all([
      beginAndKill(left.log_id, 'burn', hangs),
      beginAndKill(repeated.log_id, 'burn', hangs),
    ]);
    if (hangs !== 'done')
      // It may have been sent, so nobody may say meanwhile that it failed.
      expect((await person.confirm(left, 'FAILED', someHash()))[0]).toBe(409);
    await h.advance(3 * 60);
    const [status] = await person.burn(repeated);
    expect(status).toBe(hangs === 'done' ? 400 : 200);
    await later();

    const wasSent = hangs !== 'before';
    expect(await statusOf(person, left)).toBe(wasSent ? 'BURNED' : 'INITIATED');
    if (!wasSent) expect((await person.burn(left))[0]).toBe(200);
    for (const log of [left, repeated]) {
      expect(await mined(`burn:${log.nonce}`)).toEqual(['CONFIRMED']);
      expect((await person.mint(log))[0]).toBe(200);
    }
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(20_000_000n);
  },
);

it.each(['before', 'sent', 'done'] as const)(
  'a mint whose process is killed (%s) happens once, with or without a repetition',
  async (hangs) => {
    const person = await again(await h.user());
    const recipient_address = freshAddress();
    const logs = [];
    for (let i = 0; i < 2; i += 1) {
      const log = await person.begun({ recipient_address });
      expect((await person.burn(log))[0]).toBe(200);
      logs.push(log);
    }
    const [left, repeated] = logs;
    await Promise.all(logs.map(({ log_id }) => beginAndKill(log_id, 'mint', hangs)));
    expect((await person.mint(repeated))[0]).toBe(hangs === 'done' ? 400 : 200);
    await later();
    for (const log of [left, repeated]) {
      expect(await statusOf(person, log)).toBe('MINTED');
      expect(await mined(`mint:${log.nonce}`)).toEqual(['CONFIRMED']);
    }
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(20_000_000n);
  },
);
