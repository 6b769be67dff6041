import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Address } from 'viem';
import { asChain } from '#chains/evm/as-chain.ts';
import { CHAIN_KEYS, CHAINS, type ChainKey } from '#chains/evm/chains.ts';
import { ChainError } from '#chains/evm/fault.ts';
import type { ManagedChain, ManagedNetwork } from '#chains/evm/network.ts';
import { addressOf } from '#chains/evm/reads.ts';
import { fail } from '#kernel/error.ts';
import { AmountInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { money } from '#kernel/money/money.ts';
import { type FaucetReply, inWireTerms } from '#sandbox/faucet.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import { tapOf } from '../tap.ts';
import { createFaucet, USDC_ACTIONS } from './faucet.ts';

const Burn = Type.Object({
  asset: oneOfWords(['USDC', 'IDRT'] as const),
  from: text(100),
  amount: AmountInput,
});

/** `GET /chains`, `POST /chains/{chain_id}/burn` and `.../usdc` (decisions: The sandbox's controls). */
export const chainControls = (network: ManagedNetwork): Simulator => ({
  provider: 'chains',
  prefix: '/chains',
  controls(server) {
    circleControl(server, network);
    const { burn } = createFaucet(network.keys);
    const ChainSelector = Type.Object({ chain_id: oneOfWords(CHAIN_KEYS) });

    server.get('/chains', async () =>
      inWireTerms(() => Promise.all(CHAIN_KEYS.map((key) => described(network.chains[key])))),
    );

    server.post<{ Params: { chain_id: ChainKey }; Body: Static<typeof Burn> }>(
      '/chains/:chain_id/burn',
      { schema: { params: ChainSelector, body: Burn } },
      async ({ params, body: { asset, from, amount } }) =>
        inWireTerms(async () => {
          const chain = embedded(network, params.chain_id);
          const { units } = money(asset, amount);
          const tx_hash = await orRefused(burn(chain, { from: address(from), asset, units }));
          return { tx_hash };
        }),
    );
  },
});

const Circle = Type.Object(
  { action: oneOfWords(USDC_ACTIONS), address: Type.Optional(text(100)) },
  { additionalProperties: false },
);

/** `POST /chains/{chain_id}/usdc {action, address?}`: what Circle does to USDC and its holders. */
function circleControl(server: FastifyInstance, network: ManagedNetwork): void {
  const { rule } = createFaucet(network.keys);
  const ChainSelector = Type.Object({ chain_id: oneOfWords(CHAIN_KEYS) });
  server.post<{ Params: { chain_id: ChainKey }; Body: Static<typeof Circle> }>(
    '/chains/:chain_id/usdc',
    { schema: { params: ChainSelector, body: Circle } },
    async ({ params, body }) =>
      inWireTerms(async () => {
        const chain = embedded(network, params.chain_id);
        const needsAddress = body.action === 'blacklist' || body.action === 'unBlacklist';
        if (needsAddress !== (body.address !== undefined))
          throw fail('VALIDATION_ERROR', 'An address is given to blacklist and unBlacklist only');
        const account = body.address === undefined ? undefined : address(body.address);
        return { tx_hash: await orRefused(rule(chain, body.action, account)) };
      }),
  );
}

/** The faucets of the embedded chains. */
export function evmTaps(network: ManagedNetwork): Readonly<Record<string, FaucetReply>> {
  const { give } = createFaucet(network.keys);
  const tap = (chain: ManagedChain): FaucetReply =>
    tapOf(asChain(chain), {
      tokens: ['USDC', 'IDRT'],
      give: (gift) => orRefused(give(chain, { ...gift, to: address(gift.to) })),
    });
  return Object.fromEntries(CHAIN_KEYS.map((key) => [key, tap(network.chains[key])]));
}

/** Issues IDRT on an embedded chain, of one reference once; answers the transaction's hash. */
type Issue = (issue: {
  readonly chainId: number;
  readonly to: string;
  readonly units: bigint;
  readonly reference: string;
}) => Promise<string>;

/** For a simulated issuer of the token. Throws when there is no such chain, or it is away. */
export function tokenIssuer(network: ManagedNetwork): Issue {
  const { issue } = createFaucet(network.keys);
  return async ({ chainId, to, units, reference }) => {
    const key = CHAIN_KEYS.find((one) => CHAINS[one].chainId === chainId);
    if (key === undefined) throw fail('VALIDATION_ERROR', 'There is no such chain');
    const chain = embedded(network, key);
    return issue(chain, { to: address(to), asset: 'IDRT', units, reference });
  };
}

async function described(chain: ManagedChain) {
  const { info, contracts } = chain;
  return {
    chain_id: info.key,
    rpc_url: await orRefused(chain.url()),
    ...contracts,
    explorer_url: info.explorerUrl,
  };
}

function embedded({ chains }: ManagedNetwork, key: ChainKey): ManagedChain {
  if (chains[key].isEmbedded) return chains[key];
  throw fail('CONFLICT', `${key} is not a chain of the sandbox's own, which alone has a faucet`);
}

function address(given: string): Address {
  const known = addressOf(given);
  if (known === undefined) throw fail('VALIDATION_ERROR', 'Not an address: 0x and 40 hex digits');
  return known;
}

/** A chain that refuses or is away is answered as such, not as our fault. */
async function orRefused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    const isRefusal = ['reverted', 'refused', 'insufficient_funds'].includes(error.kind);
    throw fail(isRefusal ? 'VALIDATION_ERROR' : 'PROVIDER_UNAVAILABLE', error.message);
  }
}
