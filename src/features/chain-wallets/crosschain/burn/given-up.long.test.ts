// Long: what was given up is found on each chain.

import { describe, expect, it } from 'vitest';
import { deployCctp, predictCctp } from '#test/cctp.ts';
import {
  freshAddress,
  type Mover,
  mover,
  outsideWallet,
  someHash,
  usdcOf,
  usedToday,
} from '#test/crosschain.ts';
import { type Body, harness } from '#test/harness.ts';
import { fund } from '#test/wallets.ts';

/** Sepolia and Amoy have CCTP here, Neon our own bridge. */
const h = await harness({
  mock: false,
  config: { CCTP_CONTRACTS: JSON.stringify(predictCctp()) },
});
await deployCctp(h.app.evm);

type Chain = 'sepolia' | 'amoy' | 'neon';

async function payerOn(chain: Chain) {
  const wallet = outsideWallet(h);
  await fund(h, chain, wallet.address, 'native', '1');
  await fund(h, chain, wallet.address, 'USDC', '100');
  return wallet;
}

const statusOf = async (person: Mover, log: Body): Promise<string> =>
  (await person.details(log))[1].data.transaction.status;

describe.each([
  ['our bridge', 'neon', 'amoy'],
  ['CCTP', 'sepolia', 'amoy'],
] as const)('a transfer over %s', (_name, from_chain, to_chain) => {
  it('whose burn is on chain is not called failed, whatever transaction is named', async () => {
    const person = mover(h, await h.user());
    const log = await person.begun({ from_chain, to_chain });
    const wallet = await payerOn(from_chain);
    const tx_hash = await wallet.send(from_chain, log.burn_calls);
    expect(await person.confirm(log, 'FAILED', someHash())).toMatchObject([
      400,
      {
        error: 'The transfer is burnt already; confirm it as BURNED',
        code: 'VALIDATION_ERROR',
        details: { tx_hash },
      },
    ]);
    expect((await person.confirm(log, 'BURNED', tx_hash))[0]).toBe(200);
    expect((await person.mint(log))[0]).toBe(200);
  });

  it('that was called failed before its burn is taken up again when the burn is told', async () => {
    const person = mover(h, await h.user());
    const recipient_address = freshAddress();
    const log = await person.begun({ from_chain, to_chain, recipient_address });
    expect((await person.confirm(log, 'FAILED', someHash()))[0]).toBe(200);
    expect(await usedToday(h, person.as)).toBe(0n);
    const wallet = await payerOn(from_chain);
    const tx_hash = await wallet.send(from_chain, log.burn_calls);

    expect(await person.confirm(log, 'BURNED', someHash())).toMatchObject([
      400,
      { error: 'Invalid status. Burn already executed or failed.' },
    ]);
    expect(await usedToday(h, person.as)).toBe(0n);
    const told = await Promise.all(
      Array.from({ length: 5 }, () => person.confirm(log, 'BURNED', tx_hash)),
    );
    expect(told.filter(([status]) => status === 200)).toHaveLength(1);
    expect(await usedToday(h, person.as)).toBe(10_000_000n);
    expect((await person.mint(log))[0]).toBe(200);
    expect(await usdcOf(h, to_chain, recipient_address)).toBe(10_000_000n);
  });

  it('that was called failed is looked for, and taken up again without anybody’s word', async () => {
    const person = mover(h, await h.user());
    const log = await person.begun({ from_chain, to_chain });
    expect((await person.confirm(log, 'FAILED', someHash()))[0]).toBe(200);
    await h.advance(15 * 60);
    await h.drain();
    expect(await statusOf(person, log)).toBe('FAILED');
    const wallet = await payerOn(from_chain);
    await wallet.send(from_chain, log.burn_calls);
    await h.advance(2 * 3600);
    await h.drain();
    expect(await statusOf(person, log)).toBe('BURNED');
    expect((await person.mint(log))[0]).toBe(200);
  });
});

it('A transfer is called failed by its owner alone', async () => {
  const person = mover(h, await h.user());
  const admin = mover(h, await h.user({ role: 'admin', client_id: person.as.client_id }));
  const operator = mover(h, await h.operator());
  const log = await person.begun();
  for (const other of [admin, operator])
    expect(await other.confirm(log, 'FAILED', someHash())).toMatchObject([
      403,
      { code: 'ACCESS_DENIED' },
    ]);
  expect(await statusOf(person, log)).toBe('INITIATED');
});

it('A taken-up burn counts its day also beyond what the limit has left', async () => {
  const person = mover(h, await h.user());
  const lost = await person.begun({ from_chain: 'neon' });
  expect((await person.confirm(lost, 'FAILED', someHash()))[0]).toBe(200);
  for (let n = 0; n < 5; n += 1) await person.begun({ amount: '10000' });
  const wallet = await payerOn('neon');
  const tx_hash = await wallet.send('neon', lost.burn_calls);
  expect((await person.confirm(lost, 'BURNED', tx_hash))[0]).toBe(200);
  expect(await usedToday(h, person.as)).toBe(50_010_000_000n);
  expect(await person.initiate({ amount: '1' })).toMatchObject([400, { code: 'LIMIT_EXCEEDED' }]);
});
