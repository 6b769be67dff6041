import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  toHex,
} from 'viem';
import type { ChainAccess, ChainClient } from '../client.ts';
import { ChainError } from '../fault.ts';
import type { Sender } from '../sending/sender.ts';
import type { PlatformKeys } from '../signer.ts';
import {
  burnMintBridge,
  commerceLedger,
  idrToken,
  marketplacePayments,
  testUSDC,
} from './contracts.generated.ts';

/** Where the platform's contracts are, named as the sandbox and the configuration name them. */
export interface ContractSet {
  readonly usdc: Address;
  readonly idr_token: Address;
  readonly bridge: Address;
  readonly marketplace: Address;
  readonly commerce: Address;
}
export type ContractName = keyof ContractSet;

/** Present on most chains: a contract deployed through it has the same address everywhere. */
const FACTORY: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const SALT = keccak256(toHex('archipay/v1'));
const MINTER = keccak256(toHex('MINTER_ROLE'));
const BURNER = keccak256(toHex('BURNER_ROLE'));

/** The addresses that our deployment gives the contracts on every chain with the factory. */
export function predictContracts(keys: PlatformKeys): ContractSet {
  const usdc = predict(initCode('usdc', keys));
  const at = (name: ContractName) => predict(initCode(name, keys, usdc));
  return {
    usdc,
    idr_token: at('idr_token'),
    bridge: at('bridge'),
    marketplace: at('marketplace'),
    commerce: at('commerce'),
  };
}

/**
 * Deploys what is missing and grants the roles that are missing; a second time changes nothing.
 * Configured addresses are taken as they are, but must hold a contract.
 */
export async function ensureContracts(context: {
  chain: ChainAccess;
  sender: Sender;
  keys: PlatformKeys;
  configured?: Partial<ContractSet> | undefined;
  /** Lets the faucet make and take test tokens; only where they are worth nothing. */
  hasFaucet: boolean;
}): Promise<ContractSet> {
  const { chain, sender, keys, configured = {}, hasFaucet } = context;
  const client = await chain.client();
  const hasFactory = (await client.getCode({ address: FACTORY })) !== undefined;

  const place = async (name: ContractName, usdc?: Address): Promise<Address> => {
    const given = configured[name];
    if (given !== undefined) {
      if (await client.getCode({ address: given })) return getAddress(given);
      throw new ChainError('refused', `${chain.info.key}: no contract at ${name} ${given}`);
    }
    const code = initCode(name, keys, usdc);
    return hasFactory
      ? deployAtFactory(client, sender, { keys, code, name, chainId: chain.info.chainId })
      : deployPlainly(client, sender, { keys, code, name, chainId: chain.info.chainId });
  };
  const usdc = await place('usdc');
  const [idr_token, bridge, marketplace, commerce] = await Promise.all([
    place('idr_token'),
    place('bridge', usdc),
    place('marketplace', usdc),
    place('commerce'),
  ]);
  const contracts = { usdc, idr_token, bridge, marketplace, commerce };
  await grantRoles(client, sender, { keys, contracts, hasFaucet, chainId: chain.info.chainId });
  return contracts;
}

/** The constructors name the admin, because the factory is the sender of what it deploys. */
function initCode(name: ContractName, keys: PlatformKeys, usdc?: Address): Hex {
  const admin = keys.deployer.address;
  if (name === 'usdc') return encodeDeployData({ ...testUSDC, args: [admin] });
  if (name === 'idr_token') return encodeDeployData({ ...idrToken, args: [admin] });
  if (name === 'commerce')
    return encodeDeployData({ ...commerceLedger, args: [admin, keys.hot.address] });
  if (usdc === undefined) throw new Error(`${name} is built on USDC`);
  return name === 'bridge'
    ? encodeDeployData({ ...burnMintBridge, args: [usdc, admin, keys.relayer.address] })
    : encodeDeployData({ ...marketplacePayments, args: [admin, keys.treasury.address, usdc] });
}

const predict = (bytecode: Hex): Address =>
  getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt: SALT, bytecode });

interface Deployment {
  readonly keys: PlatformKeys;
  readonly code: Hex;
  readonly name: ContractName;
  readonly chainId: number;
}

async function deployAtFactory(
  client: ChainClient,
  sender: Sender,
  { keys, code, name, chainId }: Deployment,
): Promise<Address> {
  const address = predict(code);
  if (await client.getCode({ address })) return address;
  await sender.execute({
    signer: keys.deployer,
    to: FACTORY,
    data: `${SALT}${code.slice(2)}`,
    reference: `deploy:${chainId}:${address}`,
    purpose: `deploy ${name}`,
  });
  if (await client.getCode({ address })) return address;
  throw new ChainError('refused', `${name} was deployed, but is not at ${address}`);
}

/** The journal remembers the nonce, and so the address, of an earlier deployment. */
async function deployPlainly(
  client: ChainClient,
  sender: Sender,
  { keys, code, name, chainId }: Deployment,
): Promise<Address> {
  const from = keys.deployer.address;
  const { nonce } = await sender.execute({
    signer: keys.deployer,
    data: code,
    reference: `deploy:${chainId}:${from}:${keccak256(code)}`,
    purpose: `deploy ${name}`,
  });
  const address = getContractAddress({ from, nonce: BigInt(nonce) });
  if (await client.getCode({ address })) return address;
  throw new ChainError('refused', `${name} was deployed, but is not at ${address}`);
}

interface Grants {
  readonly keys: PlatformKeys;
  readonly contracts: ContractSet;
  readonly hasFaucet: boolean;
  readonly chainId: number;
}

async function grantRoles(
  client: ChainClient,
  sender: Sender,
  { keys, contracts, hasFaucet, chainId }: Grants,
): Promise<void> {
  const { usdc, idr_token, bridge } = contracts;
  const hot = keys.hot.address;
  const grants: [token: Address, role: Hex, account: Address][] = [
    [usdc, MINTER, bridge],
    [usdc, BURNER, bridge],
    [usdc, MINTER, hot],
    [idr_token, MINTER, hot],
    [idr_token, BURNER, hot],
  ];
  if (hasFaucet)
    for (const token of [usdc, idr_token])
      for (const role of [MINTER, BURNER]) grants.push([token, role, keys.faucet.address]);
  const { abi } = testUSDC;
  await Promise.all(
    grants.map(async ([address, role, account]) => {
      const args = [role, account] as const;
      if (await client.readContract({ address, abi, functionName: 'hasRole', args })) return;
      if (!(await isAdmin(client, address, keys.deployer.address)))
        throw new ChainError('refused', `We may not grant roles at ${address}`);
      await sender.execute({
        signer: keys.deployer,
        to: address,
        data: encodeFunctionData({ abi, functionName: 'grantRole', args }),
        reference: `grant:${chainId}:${address}:${role}:${account}`,
        purpose: 'grant role',
      });
    }),
  );
}

const isAdmin = (client: ChainClient, token: Address, account: Address): Promise<boolean> =>
  client.readContract({
    address: token,
    abi: testUSDC.abi,
    functionName: 'hasRole',
    args: [`0x${'0'.repeat(64)}`, account],
  });
