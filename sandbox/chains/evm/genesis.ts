import { type Address, encodeDeployData, type Hex, parseEther, toHex } from 'viem';
import type { ChainClient } from '#chains/evm/client.ts';
import { predictContracts } from '#chains/evm/contracts/deploy.ts';
import type { PlatformKeys } from '#chains/evm/signer.ts';
import { sandboxUSDC } from './sandbox-usdc.generated.ts';

/** The coins an embedded chain begins with. Given once, so that a rebuilt chain begins the same. */
export async function fundPlatform(client: ChainClient, keys: PlatformKeys): Promise<void> {
  const genesis = [
    [keys.faucet.address, parseEther('1000000000')],
    [keys.hot.address, parseEther('1000000')],
    [keys.deployer.address, parseEther('10000')],
    [keys.relayer.address, parseEther('10000')],
    [keys.treasury.address, parseEther('10000')],
  ] as const;
  await Promise.all(
    genesis.map(async ([address, wei]) => {
      if ((await client.getBalance({ address })) > 0n) return;
      if ((await client.getTransactionCount({ address })) > 0) return;
      await client.request<{ Method: 'anvil_setBalance'; Parameters: unknown[]; ReturnType: null }>(
        {
          method: 'anvil_setBalance',
          params: [address, toHex(wei)],
        },
      );
    }),
  );
}

/** Circle's rules for the embedded chains' USDC: the code changes, address, balances and roles stay. */
export async function replaceUsdc(client: ChainClient, keys: PlatformKeys): Promise<void> {
  const { usdc } = predictContracts(keys);
  const present = await client.getCode({ address: usdc });
  // What a deployment would leave as code, without deploying it.
  const data = encodeDeployData({ ...sandboxUSDC, args: [keys.deployer.address] });
  const { data: code } = await client.call({ data });
  if (present === undefined || code === undefined || present === code) return;
  await client.request<{
    Method: 'anvil_setCode';
    Parameters: [Address, Hex];
    ReturnType: null;
  }>({ method: 'anvil_setCode', params: [usdc, code] });
}
