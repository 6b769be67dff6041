import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { mover, someHash, usdcOf } from '#test/crosschain.ts';
import { type Body, harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';

const h = await harness();
const owner = mover(h, await h.user());
const stranger = mover(h, await h.user({ client_id: owner.as.client_id }));
const admin = mover(h, await h.user({ role: 'admin', client_id: owner.as.client_id }));
const foreign = mover(h, await h.user({ role: 'admin' }));
const operator = mover(h, await h.operator());
const logs: Body[] = [];
for (const to_chain of ['amoy', 'neon', 'amoy']) logs.push(await owner.begun({ to_chain }));
const [log] = logs;

describe('another’s transfer', () => {
  it('is not there for a user, or an admin of another client', async () => {
    for (const other of [stranger, foreign]) {
      expect(await other.details(log)).toMatchObject([
        404,
        { success: false, error: { code: 'TRANSACTION_NOT_FOUND' }, timestamp: expect.any(String) },
      ]);
      const missing = [404, { error: 'Bridge log not found' }];
      expect(await other.burn(log)).toMatchObject(missing);
      expect(await other.burnWith(log, someHash())).toMatchObject(missing);
      expect(await other.mint(log)).toMatchObject(missing);
      expect(await other.confirm(log, 'FAILED', someHash())).toMatchObject(missing);
      expect(await other.initiate({ user_id: owner.as.user_id })).toMatchObject([
        404,
        { error: 'User not found' },
      ]);
    }
    expect((await owner.details(log))[1].data.transaction.status).toBe('INITIATED');
  });

  it('is there for an admin of the client and for the operator', async () => {
    for (const other of [admin, operator]) {
      const [status, { data }] = await other.details(log);
      expect(status).toBe(200);
      expect(data).toMatchObject({ requested_by: other.as.user_id, access_level: 'admin' });
      expect((await other.initiate({ user_id: stranger.as.user_id }))[0]).toBe(200);
    }
    const [, { data }] = await owner.details(log);
    expect(data).toMatchObject({ requested_by: owner.as.user_id, access_level: 'owner' });
  });

  it('is not paid from its owner’s wallet when an admin asks', async () => {
    const funded = await h.user({ client_id: owner.as.client_id });
    const [wallet] = await walletOn(h, funded, 'sepolia');
    const address = wallet?.wallet_address ?? '';
    await fund(h, 'sepolia', address, 'native', '1');
    await fund(h, 'sepolia', address, 'USDC', '50');
    const theirs = mover(h, funded);
    const [first, second] = [await theirs.begun(), await theirs.begun()];
    expect((await admin.burn(first))[0]).toBe(200);
    expect(await usdcOf(h, 'sepolia', address)).toBe(50_000_000n);
    expect((await theirs.burn(second))[0]).toBe(200);
    expect(await usdcOf(h, 'sepolia', address)).toBe(40_000_000n);
  });

  it('is told from one that there is not by nobody', async () => {
    const there = await stranger.details(log);
    const missing = await stranger.details({ log_id: randomUUID() });
    expect(there[1].error).toEqual(missing[1].error);
    expect((await stranger.details({ log_id: 'no-uuid' }))[0]).toBe(400);
  });
});

describe('a history', () => {
  it('is shown newest first, in pages, with what was asked for', async () => {
    const [status, { success, message, data, timestamp }] = await owner.history({ limit: 2 });
    expect([status, success, typeof message, typeof timestamp]).toEqual([
      200,
      true,
      'string',
      'string',
    ]);
    expect(data).toMatchObject({
      user_id: owner.as.user_id,
      pagination: { total_count: 3, limit: 2, offset: 0, has_more: true },
      filters_applied: { from_chain: null, to_chain: null, status: null },
    });
    expect(data.transactions.map((t: { log_id: string }) => t.log_id)).toEqual(
      logs
        .slice(1)
        .map(({ log_id }) => log_id)
        .reverse(),
    );
    const [, rest] = await owner.history({ limit: 2, offset: 2 });
    expect(rest.data.transactions[0]).toMatchObject({ log_id: log.log_id, return_address: null });
    expect(rest.data.pagination).toMatchObject({ offset: 2, has_more: false });
    expect((await owner.history())[1].data.pagination.limit).toBe(50);
  });

  it('is filtered by chain, however it is called, and by status', async () => {
    const found = async (query: Record<string, string>) =>
      (await owner.history(query))[1].data.pagination.total_count;
    expect(await found({ to_chain: 'amoy' })).toBe(2);
    expect(await found({ to_chain: 'Neon' })).toBe(1);
    expect(await found({ from_chain: 'Ethereum', to_chain: 'polygon' })).toBe(2);
    expect(await found({ from_chain: 'amoy' })).toBe(0);
    expect(await found({ status: 'INITIATED' })).toBe(3);
    expect(await found({ status: 'MINTED' })).toBe(0);
    const bad = [
      { limit: 0 },
      { limit: 101 },
      { offset: -1 },
      { status: 'LOST' },
      { to_chain: 'x' },
    ];
    for (const query of bad) expect((await owner.history(query as never))[0]).toBe(400);
  });

  it('of another is denied to a user, and open to admins who reach the user', async () => {
    const { user_id } = owner.as;
    for (const who of [stranger, foreign])
      for (const whom of [user_id, 2_000_000_000])
        expect(await who.history({}, whom)).toMatchObject([
          403,
          { success: false, error: { code: 'ACCESS_DENIED' } },
        ]);
    expect((await admin.history({}, user_id))[0]).toBe(200);
    expect((await operator.history({}, user_id))[0]).toBe(200);
  });
});
