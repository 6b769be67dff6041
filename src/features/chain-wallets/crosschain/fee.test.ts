import type { Address } from 'viem';
import { expect, it } from 'vitest';
import { bridgeBurnCall } from '#chains/evm/contracts/port.ts';
import { CHAINS } from '#chains/evm/port.ts';
import { freshAddress, mover, outsideWallet, usdcOf } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';

// A day passes here, and log-ins must outlive it.
const h = await harness({ mock: false, config: { JWT_TTL: '1000000' } });
const { chains } = h.app.evm;
const { sepolia } = chains;

async function walletOwner(usdc: string, gas = '1') {
  const as = await h.user();
  const [wallet] = await walletOn(h, as, 'sepolia');
  const { wallet_address, bw_id } = wallet ?? { wallet_address: '', bw_id: 0 };
  await fund(h, 'sepolia', wallet_address, 'native', gas);
  await fund(h, 'sepolia', wallet_address, 'USDC', usdc);
  const send = (amount: string) =>
    h.call('POST /onchain/execute', {
      as,
      body: {
        wallet_address,
        chain_id: 'sepolia',
        token_symbol: 'USDC',
        amount,
        token_contract: sepolia.contracts.usdc,
        to_address: freshAddress(),
      },
    });
  const remove = () =>
    h.call('POST /manual/wallets/crypto/{bw_id}/delete', {
      as,
      params: { bw_id },
      body: { confirmation: 'delete', user_id: as.user_id },
    });
  return { ...mover(h, as), address: wallet_address as Address, send, remove };
}

const feeOf = async ({ log_id }: { log_id: string }) =>
  (
    await h.db
      .selectFrom('crosschain_transfers')
      .select('fee_status')
      .where('log_id', '=', log_id)
      .executeTakeFirstOrThrow()
  ).fee_status;
const openHolds = async (wallet_address: string) =>
  (
    await h.db
      .selectFrom('wallet_holds')
      .select('reference')
      .where('wallet_address', '=', wallet_address)
      .where('released_at', 'is', null)
      .execute()
  ).map(({ reference }) => reference);

it('a burn whose coins do not pay for the gas of its fee as well is refused', async () => {
  const person = await walletOwner('10.1', '0.1');
  const log = await person.begun();
  // As much as the burn alone takes.
  const { maxGasFee } = await sepolia.sender.quote({
    from: person.address,
    ...bridgeBurnCall(
      sepolia.contracts,
      { nonce: log.nonce, units: 10_000_000n, recipient: freshAddress() },
      CHAINS.amoy.chainId,
    ),
  });
  const client = await sepolia.client();
  const params = [person.address, `0x${((maxGasFee * 11n) / 10n).toString(16)}`];
  await client.request({ method: 'anvil_setBalance', params } as never);
  expect(await person.burn(log)).toMatchObject([
    400,
    { code: 'INSUFFICIENT_FUNDS', details: { token: 'ETH' } },
  ]);
  expect(await openHolds(person.address)).toEqual([]);
  await fund(h, 'sepolia', person.address, 'native', '0.1');
  expect((await person.burn(log))[0]).toBe(200);
  await h.drain();
  expect(await feeOf(log)).toBe('PAID');
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(0n);
  expect(await openHolds(person.address)).toEqual([]);
});

it('sends and burns leave each other what their fees take', async () => {
  const person = await walletOwner('10.15');
  const log = await person.begun();
  expect((await person.burn(log))[0]).toBe(200);
  // 0.15 are there, of which 0.10 are the fee of the burn.
  expect(await person.send('0.05')).toMatchObject([
    400,
    { error: { code: 'INSUFFICIENT_FUNDS', details: { required: '0.15', available: '0.05' } } },
  ]);
  await fund(h, 'sepolia', person.address, 'USDC', '10.1');
  expect((await person.send('0.05'))[0]).toBe(201);
  const second = await person.begun();
  expect(await person.burn(second)).toMatchObject([
    400,
    { details: { token: 'USDC', required: '10.100000', available: '10.000000' } },
  ]);
  await fund(h, 'sepolia', person.address, 'USDC', '0.1');
  expect((await person.burn(second))[0]).toBe(200);
  await h.drain();
  expect([await feeOf(log), await feeOf(second)]).toEqual(['PAID', 'PAID']);
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(0n);
});

it('a fee that its owner has spent elsewhere is asked for for a day, then given up', async () => {
  const person = await walletOwner('10.1');
  const log = await person.begun();
  expect((await person.burn(log))[0]).toBe(200);
  const burn = { asset: 'USDC', from: person.address, amount: '0.05' };
  await h.sandbox('POST', '/chains/sepolia/burn', burn);
  await h.drain();
  expect(await feeOf(log)).toBe('DUE');
  expect(await person.remove()).toMatchObject([409, { error: { code: 'CONFLICT' } }]);
  await h.advance(25 * 3600);
  await h.drain();
  expect(await feeOf(log)).toBe('UNPAID');
  expect((await person.remove())[0]).toBe(200);
});

it('a fee from a posted key is known to be paid, or not', async () => {
  const person = mover(h, await h.user());
  const wallet = outsideWallet(h);
  await fund(h, 'sepolia', wallet.address, 'native', '1');
  await fund(h, 'sepolia', wallet.address, 'USDC', '10.1');
  const log = await person.begun();
  expect((await person.burnWith(log, wallet.key))[0]).toBe(200);
  expect(await feeOf(log)).toBe('PAID');
  expect(await usdcOf(h, 'sepolia', wallet.address)).toBe(0n);
});
