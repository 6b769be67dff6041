import { formatUnits } from 'viem';
import {
  acrossChains,
  CHAIN_KEYS,
  type ChainKey,
  type EvmChain,
  type EvmNetwork,
} from '#chains/evm/port.ts';
import type { ChainInfoShown } from './store.ts';

/** Gas for a payment and the first allowance, generously. */
const GAS = 250_000n;

/** The contracts for an order on that chain. */
export async function chainInfo(chain: EvmChain): Promise<ChainInfoShown> {
  const { info, contracts } = chain;
  return {
    selected_chain: info.key,
    chain_name: info.network,
    contract_info: {
      usdc_contract: contracts.usdc,
      mcp_contract: contracts.commerce,
      payment_contract: contracts.marketplace,
      rpc_url: await openRpcUrl(chain),
      explorer_url: info.explorerUrl,
    },
  };
}

/** Only for a node of our own: the address of an operator's node may have a key in it. */
const openRpcUrl = async (chain: EvmChain): Promise<string | null> =>
  chain.isEmbedded ? ((await chain.client()).transport.url ?? null) : null;

/** The chains to choose from; an unreachable one has no estimate. */
export async function chainOptions({ chains, keys }: EvmNetwork, recommended: ChainKey) {
  const asked = await acrossChains(chains, async (chain) => {
    const from = keys.treasury.address;
    const [{ gasPrice }, { contract_info }] = await Promise.all([
      chain.sender.quote({ from, to: from, value: 0n }),
      chainInfo(chain),
    ]);
    const cost = `${formatUnits(gasPrice * GAS, 18)} ${chain.info.native}`;
    return { cost, rpc_url: contract_info.rpc_url };
  });
  return CHAIN_KEYS.map((key) => {
    const { info, contracts } = chains[key];
    const found = asked[key];
    const answer = found && 'value' in found ? found.value : undefined;
    return {
      id: key,
      name: info.name,
      symbol: info.native,
      is_testnet: true,
      recommended: key === recommended,
      gas_estimate: answer?.cost ?? null,
      contract_info: {
        usdc_contract: contracts.usdc,
        mcp_contract: contracts.commerce,
        rpc_url: answer?.rpc_url ?? null,
        explorer_url: info.explorerUrl,
      },
    };
  });
}
