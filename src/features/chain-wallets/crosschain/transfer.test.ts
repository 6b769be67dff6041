import { describe, expect, it } from 'vitest';
import { freshAddress, mover, someHash, usdcOf, usedToday } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const person = mover(h, await h.user());
const USED = 'Invalid status. Burn already executed or failed.';

describe('a transfer in mock mode', () => {
  it('is begun, burnt by the hot wallet and minted to its recipient, exactly the amount', async () => {
    const recipient_address = freshAddress();
    const return_address = freshAddress();
    const [begun, { success, data, message }] = await person.initiate({
      amount: '12.5',
      recipient_address,
      return_address,
    });
    expect([begun, success, message]).toEqual([200, true, expect.any(String)]);
    expect(data).toMatchObject({
      log_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      nonce: expect.any(String),
      amount: '12.5',
      token: 'USDC',
      from_chain: 'Ethereum',
      to_chain: 'Polygon',
      recipient_address,
      return_address,
      status: 'INITIATED',
      platform_fee: '0.100000',
    });

    const [burnt, burn] = await person.burn(data);
    expect([burnt, burn]).toEqual([
      200,
      {
        success: true,
        data: {
          log_id: data.log_id,
          tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          status: 'BURNED',
          updated_at: expect.any(String),
        },
      },
    ]);
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(0n);

    const [minted, mint] = await person.mint(data);
    const mint_tx_hash = mint.mint_tx_hash;
    expect([minted, mint]).toEqual([
      200,
      {
        success: true,
        tx_hash: mint_tx_hash,
        mint_tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        log_id: data.log_id,
        nonce: data.nonce,
        status: 'MINTED',
        data: {
          log_id: data.log_id,
          status: 'MINTED',
          mint_tx_hash,
          updated_at: expect.any(String),
        },
      },
    ]);
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(12_500_000n);
    const [, details] = await person.details(data);
    expect(details.data.transaction).toMatchObject({
      status: 'MINTED',
      burn_tx_hash: burn.data.tx_hash,
      mint_tx_hash,
    });
  });

  it.each([
    ['sepolia', 'neon'],
    ['amoy', 'sepolia'],
    ['neon', 'amoy'],
  ])('goes from %s to %s', async (from_chain, to_chain) => {
    const recipient_address = freshAddress();
    const log = await person.begun({ from_chain, to_chain, recipient_address });
    expect((await person.burn(log, { mode: 'backend' }))[0]).toBe(200);
    expect((await person.mint(log))[0]).toBe(200);
    expect(await usdcOf(h, to_chain as 'amoy', recipient_address)).toBe(10_000_000n);
  });

  it('burnt, minted or failed is not burnt again, and minted is not minted again', async () => {
    const log = await person.begun();
    expect(await person.mint(log)).toMatchObject([400, { code: 'INVALID_STATUS' }]);
    await person.burn(log);
    expect(await person.burn(log)).toMatchObject([400, { error: USED }]);
    expect(await person.confirm(log, 'FAILED', someHash())).toMatchObject([400, { error: USED }]);
    await person.mint(log);
    expect(await person.mint(log)).toMatchObject([400, { error: 'Already minted' }]);
    expect(await person.burn(log)).toMatchObject([400, { error: USED }]);
    const other = await person.begun();
    await person.confirm(other, 'FAILED', someHash());
    expect(await person.burn(other)).toMatchObject([400, { error: USED }]);
    expect(await person.burnWith(other, someHash())).toMatchObject([400, { error: USED }]);
    expect((await person.mint(other))[0]).toBe(400);
  });

  it('takes the word of whoever burnt it, once for each hash', async () => {
    const [log, other] = [await person.begun(), await person.begun()];
    const tx_hash = someHash();
    expect(await person.confirm(log, 'BURNED', tx_hash)).toMatchObject([
      200,
      { success: true, data: { log_id: log.log_id, tx_hash, status: 'BURNED' } },
    ]);
    expect(await person.confirm(other, 'BURNED', tx_hash)).toMatchObject([
      409,
      { error: 'This burn backs another transfer already' },
    ]);
    const upper = `0x${tx_hash.slice(2).toUpperCase()}`;
    expect((await person.burn(other, { mode: 'external_wallet', tx_hash: upper }))[0]).toBe(409);
    expect((await person.mint(log))[0]).toBe(200);
  });

  it('does not take a hash that is on chain for another burn', async () => {
    const [log, other] = [await person.begun(), await person.begun()];
    const [, { data }] = await person.burn(other);
    const claimed = { mode: 'external_wallet', tx_hash: data.tx_hash };
    expect(await person.burn(log, claimed)).toMatchObject([
      400,
      { error: 'The transaction is not the burn of this transfer' },
    ]);
    expect(await person.burn(log, { mode: 'external_wallet' })).toMatchObject([
      400,
      { error: 'tx_hash is required in external_wallet mode' },
    ]);
  });

  it('burns with a posted key; without funds of its own the hot wallet stands in', async () => {
    const log = await person.begun();
    const key = someHash();
    const [status, body] = await person.burnWith(log, key);
    expect([status, body]).toMatchObject([
      200,
      { success: true, log_id: log.log_id, nonce: log.nonce, status: 'BURNED' },
    ]);
    expect(body.tx_hash).toBe(body.data.tx_hash);
    expect((await person.mint(log))[0]).toBe(200);
  });

  it('that failed gives its part of the daily limit back', async () => {
    const other = mover(h, await h.user());
    const log = await other.begun({ amount: '100' });
    expect(await usedToday(h, other.as)).toBe(100_000_000n);
    const tx_hash = someHash();
    expect(await other.confirm(log, 'FAILED', tx_hash)).toMatchObject([
      200,
      { data: { status: 'FAILED', tx_hash } },
    ]);
    expect(await usedToday(h, other.as)).toBe(0n);
    const [, { data }] = await other.details(log);
    expect(data.transaction).toMatchObject({ status: 'FAILED', burn_tx_hash: null });
  });
});

describe('test tokens and balances', () => {
  it('give USDC to any address, and the balance shows them', async () => {
    const address = freshAddress();
    const body = { chain: 'neon', address, amount: '25' };
    expect(await person.post('test-mint', body)).toEqual([
      200,
      {
        success: true,
        tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        mode: 'manual',
        address,
        chain: 'neon',
      },
    ]);
    const [, again] = await person.post('test-mint', { ...body, mode: 'external_wallet' });
    expect(again.mode).toBe('external_wallet');
    const balance = (params: { chain: string; address: string }, query = {}) =>
      h.call('GET /crosschain/balance/{chain}/{address}', { as: person.as, params, query });
    expect(await balance({ chain: 'neon', address })).toEqual([
      200,
      {
        chain: 'neon',
        address,
        balance: '50',
        held: '0',
        available: '50',
        contract_address: h.app.evm.chains.neon.contracts.usdc,
        source: 'blockchain',
      },
    ]);
    expect((await balance({ chain: 'amoy', address: address.toLowerCase() }))[1].balance).toBe('0');
    expect(await balance({ chain: 'neon', address: '0x12' })).toMatchObject([
      400,
      { error: 'Invalid wallet address' },
    ]);
    const contract_address = freshAddress();
    expect((await balance({ chain: 'neon', address }, { contract_address }))[0]).toBe(400);
    expect((await balance({ chain: 'solana', address }))[0]).toBe(400);
    const bad = { ...body, address: 'nowhere' };
    expect(await person.post('test-mint', bad)).toMatchObject([
      400,
      { error: 'Invalid address format' },
    ]);
  });

  it('give once for an idempotency key', async () => {
    const address = freshAddress();
    const body = { chain: 'amoy', address, amount: '3' };
    const more = { headers: { 'idempotency-key': address } };
    const [[, first], [, second]] = [
      await person.post('test-mint', body, more),
      await person.post('test-mint', body, more),
    ];
    expect(second).toEqual(first);
    expect(await usdcOf(h, 'amoy', address)).toBe(3_000_000n);
  });
});
