import { afterAll, expect, it } from 'vitest';
import { type ChainKey, findByReference, readBalances } from '#chains/evm/port.ts';
import { tokenIssuer } from '#sandbox/chains/evm/sandbox-controls.ts';
import { testNetwork } from '#test/evm.ts';
import { doneBy } from '#test/gateway.ts';
import { testIdrx } from '#test/idrx.ts';

const { network, database, close } = await testNetwork();
afterAll(close);
const { gateway, wish, pay } = await testIdrx(tokenIssuer(network));

const WALLET = '0x2222222222222222222222222222222222222222';
const tokens = async (chain: ChainKey) => {
  const { contracts } = network.chains[chain];
  const { tokens: held } = await readBalances(network.chains[chain], WALLET, [contracts.idr_token]);
  return held[0];
};

it('a payment at the simulated IDRX is minted once on the test chain', async () => {
  const request = wish({ sale: { chain: 'amoy', address: WALLET, units: 2_500_000n } });
  const { id } = doneBy(await gateway.createPayment(request));
  expect(await pay(request.reference)).toMatchObject({ body: { userMintStatus: 'MINTED' } });
  const mint = doneBy(await gateway.findMint(request.reference));
  const [row] = await findByReference(database.db, [`idrx:${id}`]);
  expect(mint).toEqual({ hash: row?.hash });
  expect(await tokens('amoy')).toBe(2_500_000n);

  // Repeated, as after a crash between the mint and its record, the chain has it once.
  const again = tokenIssuer(network);
  const same = { chainId: 80_002, to: WALLET, units: 2_500_000n, reference: `idrx:${id}` };
  expect(await again(same)).toBe(row?.hash);
  expect(await tokens('amoy')).toBe(2_500_000n);
  await expect(again({ ...same, chainId: 1 })).rejects.toThrow('There is no such chain');
});
