import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readBalances } from '#chains/evm/port.ts';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { killWhereItHangs } from '#test/child.ts';
import { freshAddress } from '#test/crosschain.ts';
import { TEST_MNEMONIC } from '#test/evm.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness, type Person } from '#test/harness.ts';
import { broken, houseOf, mintRow, tokenUser, untilMinted } from '#test/idr-token.ts';
import type { Orders } from '#test/idr-token-child.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { insertRefund } from './refund/store.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
await h.drain();
const gateway = gatewayOf(h);
const { amoy } = h.app.evm.chains;
const rpcUrl = await amoy.url();
const pick = ({ user_id, client_id }: Person) => ({ user_id, client_id });
const someone = async () => tokenUser(h, await h.user());

/** Goes on with it in another process, and kills that where it hangs. */
const goOnAndKill = (
  reference: string,
  hangs: Orders['hangs'],
  drives: Orders['drives'] = 'flow',
): Promise<void> => {
  const orders: Orders = {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    dataDir: h.dataDir,
    mnemonic: TEST_MNEMONIC,
    rpcUrl,
    gatewayUrl: `${h.app.sandboxUrl()}/gateway`,
    aheadMs: h.clock.offsetMs,
    reference,
    hangs,
    drives,
  };
  return killWhereItHangs('idr-token-child.ts', orders);
};

/** The clock passes every lease, and the schedules have run. */
async function later(): Promise<void> {
  await h.advance(5 * 60);
  await h.drain();
}

/** A refund as its request leaves it behind that is killed before it has called anything. */
const begunRefund = async (by: { user_id: number; client_id: number }, mint_id: number) => {
  const takeBack = h.kernel.effects.kinds().find(({ kind }) => kind === 'idr-take-back');
  if (takeBack === undefined) throw new Error('No such effect');
  return transact(h.db, async (tx) => {
    const terms = {
      operation: randomUUID(),
      ...by,
      requested_by: by.user_id,
      reason: 'Asked',
      ...({ transaction_type: 'MINT', mint_id, redeem_id: null } as const),
      amount_idr: 5_000_000n,
      refund_fee: 1_000_000n,
      ...({ source: 'RESERVE', state: 'TAKING_BACK' } as const),
    };
    const { refund_id } = await insertRefund(tx, terms, h.clock.now());
    await h.kernel.effects.begin(tx, takeBack, `${refund_id}`, { left: {} });
    return refund_id;
  });
};

const tokensOf = async (owner: `0x${string}`) =>
  (await readBalances(amoy, owner, [amoy.contracts.idr_token])).tokens[0];
const inOrder = async () => {
  expect(await broken(h)).toEqual([]);
  const { gateway: held } = await houseOf(h);
  expect(await gateway.balance()).toBe(-held);
};
const signed = (like: string) =>
  run(h.db, 'select status from chain_transactions where reference like $1', [like]);

const BOTH = ['before', 'after'] as const;

test('a mint whose process is killed is sent and booked once', async () => {
  const user = await someone();
  const bought = await Promise.all(
    BOTH.map(async (hangs) => {
      const walletAddress = freshAddress();
      const { referenceId } = await user.begun({ walletAddress });
      await gateway.pay(referenceId);
      await goOnAndKill(referenceId, hangs);
      expect((await mintRow(h, referenceId)).status).toBe('PAID');
      return { referenceId, walletAddress };
    }),
  );
  await later();
  for (const { referenceId, walletAddress } of bought) {
    await untilMinted(h, referenceId);
    expect(await tokensOf(walletAddress)).toBe(5_000_000n);
    expect(await signed(`idr-mint:${referenceId}%`)).toEqual([{ status: 'CONFIRMED' }]);
  }
  await inOrder();
});

test('a time-out whose process is killed still cancels the purchase', async () => {
  const user = await someone();
  const begun = [await user.begun(), await user.begun()];
  await h.advance(24 * 3600 + 1);
  await Promise.all(BOTH.map((hangs, i) => goOnAndKill(begun[i].referenceId, hangs)));
  for (const { referenceId } of begun)
    expect((await mintRow(h, referenceId)).status).toBe('PENDING');
  await later();
  for (const { referenceId } of begun) {
    expect((await mintRow(h, referenceId)).status).toBe('CANCELLED');
    await gateway.pay(referenceId, { amount: 50_000 });
    await h.drain();
    expect((await mintRow(h, referenceId)).payment_note).toBe('LATE');
  }
  await inOrder();
});

test('a pay-out whose process is killed is made once', async () => {
  const user = await someone();
  const bankId = await user.bank();
  const [wallet] = await walletOn(h, user.as, 'amoy');
  const walletAddress = wallet?.wallet_address ?? '';
  const references: string[] = [];
  for (const hangs of BOTH) {
    await fund(h, 'amoy', walletAddress, 'IDRT', '50000');
    const { tx_hash: burnTxHash } = await h.sandbox('POST', '/chains/amoy/burn', {
      asset: 'IDRT',
      from: walletAddress,
      amount: '50000',
    });
    // The request's own try gets nowhere.
    await gateway.spoil('drop', 9);
    const body = { burnTxHash, walletAddress, amount: 50_000, bankId };
    const [, { data }] = await user.offramp(body);
    await gateway.calm();
    await h.advance(60);
    await goOnAndKill(data.referenceId, hangs);
    references.push(data.referenceId);
  }
  await later();
  for (const referenceId of references) {
    expect(await user.statusOf('offramp', referenceId)).toBe('PROCESSING');
    expect(await gateway.end(referenceId, 'complete')).toMatchObject({ status: 'SUCCEEDED' });
  }
  await h.drain();
  for (const referenceId of references)
    expect(await user.statusOf('offramp', referenceId)).toBe('COMPLETED');
  await inOrder();
});

test('a take-back whose process is killed happens once', async () => {
  const user = await someone();
  const wallets = [freshAddress(), freshAddress()] as const;
  const begun: number[] = [];
  // One after the other: the jobs of one must not do what the process of the other is to do.
  for (const walletAddress of wallets) {
    const { referenceId } = await user.begun({ walletAddress });
    await gateway.pay(referenceId);
    await untilMinted(h, referenceId);
    begun.push((await mintRow(h, referenceId)).mint_id);
  }
  for (const [i, hangs] of BOTH.entries())
    await goOnAndKill(`${await begunRefund(pick(user.as), begun[i] ?? 0)}`, hangs, 'take-back');
  expect(await user.balance()).toBe(0n);
  await later();
  expect(await user.balance()).toBe(8_000_000n);
  for (const wallet of wallets) expect(await tokensOf(wallet)).toBe(0n);
  await inOrder();
});
