import { type Address, type Hex, parseAbi, zeroAddress, zeroHash } from 'viem';
import { SCALE } from '#kernel/money/money.ts';
import type { NetworkToken } from '../../network-view.ts';
import { TOKENS } from '../contracts/movement.ts';
import type { EvmChain } from '../port.ts';
import { TOKEN_SYMBOLS } from './tokens.ts';

const ABILITIES = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonces(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);

/** The platform's tokens on a chain, with what their contracts take; asked of the contracts once. */
export function tokenAbilities(chain: EvmChain): () => Promise<readonly NetworkToken[]> {
  let known: Promise<readonly NetworkToken[]> | undefined;
  return () => {
    known ??= Promise.all(TOKEN_SYMBOLS.map(read)).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  async function read(symbol: (typeof TOKEN_SYMBOLS)[number]): Promise<NetworkToken> {
    const address = chain.contracts[TOKENS[symbol]];
    const client = await chain.client();
    const contract = { address, abi: ABILITIES } as const;
    const [domain, nonces, state] = await client.multicall({
      deployless: true,
      contracts: [
        { ...contract, functionName: 'DOMAIN_SEPARATOR' },
        { ...contract, functionName: 'nonces', args: [zeroAddress as Address] },
        { ...contract, functionName: 'authorizationState', args: [zeroAddress, zeroHash as Hex] },
      ],
    });
    const has = (answer: { readonly status: string }) => answer.status === 'success';
    return {
      symbol,
      address,
      digits: SCALE[symbol],
      permit: has(domain) && has(nonces),
      transfer_with_authorization: has(domain) && has(state),
    };
  }
}
