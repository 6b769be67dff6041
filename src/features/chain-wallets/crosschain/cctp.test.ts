import { expect, it } from 'vitest';
import { deployCctp, predictCctp } from '#test/cctp.ts';
import { freshAddress, mover, outsideWallet, supplyOn, usdcOf } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';

const h = await harness({
  mock: false,
  config: { CCTP_CONTRACTS: JSON.stringify(predictCctp()), BURN_WITH_PRIVATE_KEY: 'off' },
});
await deployCctp(h.app.evm);

const routeOf = async ({ log_id }: { log_id: string }) =>
  (
    await h.db
      .selectFrom('crosschain_transfers')
      .select('bridge_route')
      .where('log_id', '=', log_id)
      .executeTakeFirstOrThrow()
  ).bridge_route;

it('between chains that have CCTP a managed wallet’s USDC goes over it', async () => {
  const as = await h.user();
  const person = mover(h, as);
  const [wallet] = await walletOn(h, as, 'sepolia');
  const address = wallet?.wallet_address ?? '';
  await fund(h, 'sepolia', address, 'native', '1');
  await fund(h, 'sepolia', address, 'USDC', '30');
  const supply = (await supplyOn(h, 'sepolia')) + (await supplyOn(h, 'amoy'));
  const recipient_address = freshAddress();
  const log = await person.begun({ amount: '20', recipient_address });
  expect(await routeOf(log)).toBe('CCTP');
  expect((await person.burn(log))[0]).toBe(200);

  await h.sandbox('POST', '/faults', { provider: 'cctp', kind: 'error', times: 1 });
  expect(await person.mint(log)).toMatchObject([503, { code: 'PROVIDER_UNAVAILABLE' }]);
  const mints = await Promise.all(Array.from({ length: 10 }, () => person.mint(log)));
  expect(mints.filter(([status]) => status === 200)).toHaveLength(1);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(20_000_000n);
  expect((await supplyOn(h, 'sepolia')) + (await supplyOn(h, 'amoy'))).toBe(supply);
});

it('several burns of one wallet at once cost each other a try at most', async () => {
  const as = await h.user();
  const person = mover(h, as);
  const [wallet] = await walletOn(h, as, 'sepolia');
  const address = wallet?.wallet_address ?? '';
  await fund(h, 'sepolia', address, 'native', '1');
  await fund(h, 'sepolia', address, 'USDC', '100');
  const amounts = ['5', '20', '10', '15'];
  const logs = await Promise.all(amounts.map((amount) => person.begun({ amount })));
  const answers = await Promise.all(logs.map((log) => person.burn(log)));
  for (const [i, [status]] of answers.entries()) {
    const [code] = status === 200 ? [200] : await person.burn(logs[i]);
    expect(code).toBe(200);
  }
  expect(await usdcOf(h, 'sepolia', address)).toBe(50_000_000n);
});

it('a posted private key is refused where that is switched off', async () => {
  const person = mover(h, await h.user());
  const log = await person.begun({ amount: '1' });
  expect(await person.burnWith(log, outsideWallet(h).key)).toMatchObject([
    403,
    { code: 'FORBIDDEN', error: 'Burning with a private key is switched off' },
  ]);
});

it('a wallet of the user’s own burns with the calls that it was given', async () => {
  const person = mover(h, await h.user());
  const wallet = outsideWallet(h);
  await fund(h, 'sepolia', wallet.address, 'native', '1');
  await fund(h, 'sepolia', wallet.address, 'USDC', '10');
  const recipient_address = freshAddress();
  const log = await person.begun({ amount: '10', recipient_address });
  const tx_hash = await wallet.send('sepolia', log.burn_calls);
  expect((await person.burn(log, { mode: 'external_wallet', tx_hash }))[0]).toBe(200);
  expect((await person.mint(log))[0]).toBe(200);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(10_000_000n);
});

it('to a chain without CCTP it is our own bridge', async () => {
  const person = mover(h, await h.user());
  expect(await routeOf(await person.begun({ to_chain: 'neon' }))).toBe('BRIDGE');
  expect(await routeOf(await person.begun({ to_chain: 'amoy' }))).toBe('CCTP');
});
