import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  parseAbi,
  toHex,
} from 'viem';
import { predictContracts } from '#chains/evm/contracts/deploy.ts';
import { type ChainKey, type EvmNetwork, platformKeys } from '#chains/evm/port.ts';
import type { PlatformKeys } from '#chains/evm/signer.ts';
import type { CctpChains } from '#providers/cctp/settings.ts';
import { sandboxAttester } from '#sandbox/providers/cctp/simulator.ts';
import { cctpStandIn } from './cctp-stand-in.generated.ts';
import { TEST_MNEMONIC } from './evm.ts';

const FACTORY: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const SALT = keccak256(toHex('cctp stand-in'));
const DOMAINS = { sepolia: 0, amoy: 7 } as const;
const ROLES = parseAbi(['function grantRole(bytes32 role, address account)']);

/** The future addresses of the stand-ins of Circle's contracts, for `CCTP_CONTRACTS`: Neon has none. */
export function predictCctp(keys: PlatformKeys = platformKeys(TEST_MNEMONIC)): CctpChains {
  const { usdc } = predictContracts(keys);
  const at = (chain: keyof typeof DOMAINS) => {
    const contract = getContractAddress({
      opcode: 'CREATE2',
      from: FACTORY,
      salt: SALT,
      bytecode: initCode(chain, usdc),
    });
    return {
      domain: DOMAINS[chain],
      usdc,
      token_messenger: contract,
      message_transmitter: contract,
    };
  };
  return { sepolia: at('sepolia'), amoy: at('amoy') };
}

/** Deploys them, with the right to mint and burn test USDC as Circle's have. */
export async function deployCctp({ chains, keys }: EvmNetwork): Promise<void> {
  for (const [key, { token_messenger, usdc }] of Object.entries(predictCctp(keys))) {
    const chain = key as keyof typeof DOMAINS & ChainKey;
    const { sender } = chains[chain];
    const send = (to: Address, data: Hex, name: string) =>
      sender.execute({
        signer: keys.deployer,
        to,
        data,
        reference: `${chain}:${name}`,
        purpose: name,
      });
    await send(FACTORY, `${SALT}${initCode(chain, usdc).slice(2)}`, 'cctp');
    for (const role of ['MINTER_ROLE', 'BURNER_ROLE']) {
      const args = [keccak256(toHex(role)), token_messenger] as const;
      await send(usdc, encodeFunctionData({ abi: ROLES, functionName: 'grantRole', args }), role);
    }
  }
}

function initCode(chain: keyof typeof DOMAINS, usdc: Address): Hex {
  const args = encodeAbiParameters(
    [{ type: 'uint32' }, { type: 'address' }, { type: 'address' }],
    [DOMAINS[chain], usdc, sandboxAttester()],
  );
  return `${cctpStandIn.bytecode}${args.slice(2)}`;
}
