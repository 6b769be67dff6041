import { type Address, formatUnits, type Hash, parseEther } from 'viem';
import { mintTokenCall } from '#chains/evm/calls.ts';
import type { ChainKey } from '#chains/evm/chains.ts';
import { readBalances, readToken } from '#chains/evm/reads.ts';
import { fail } from '#kernel/http/error.ts';
import { money } from '#kernel/money/money.ts';
import { type CrosschainDeps, told } from './deps.ts';

/** Units that one call gives at most: play money too has its bounds. */
const TEST_MINT_MAX = 1_000_000_000_000n;
const GAS_LOW = parseEther('0.05');
const GAS_GIFT = parseEther('0.5');

/**
 * Gives test USDC to any address, whoever holds its key. On a chain of our own it also gets the coins
 * that a first transaction costs. The same operation gives once.
 */
export async function testMint(
  { evm }: CrosschainDeps,
  gift: { chain: ChainKey; to: Address; amount: string; operation: string },
): Promise<Hash> {
  const { units } = money('USDC', gift.amount);
  if (units > TEST_MINT_MAX)
    throw fail('LIMIT_EXCEEDED', 'A test mint gives at most 1,000,000.00 USDC');
  const { sender, contracts, client, isEmbedded } = evm.chains[gift.chain];
  const named = { signer: evm.keys.hot, purpose: 'test mint' };
  try {
    const { hash } = await sender.execute({
      ...named,
      ...mintTokenCall(contracts.usdc, gift.to, units),
      reference: `test-mint:${gift.operation}`,
    });
    if (isEmbedded && (await readBalances(await client(), gift.to, [])).native < GAS_LOW)
      await sender.execute({
        ...named,
        to: gift.to,
        value: GAS_GIFT,
        reference: `test-mint:${gift.operation}:gas`,
      });
    return hash;
  } catch (error) {
    throw told(error, evm, gift.chain);
  }
}

/** What an address holds of a token on a chain, as decimal text in the token's own decimals. */
export async function tokenBalance(
  { evm }: Pick<CrosschainDeps, 'evm'>,
  place: { chain: ChainKey; owner: Address; contract: Address },
): Promise<string> {
  const { chain, owner, contract } = place;
  try {
    const client = await evm.chains[chain].client();
    const token = await readToken(client, contract);
    if (token === undefined) throw fail('VALIDATION_ERROR', `No token at ${contract} on ${chain}`);
    const { tokens } = await readBalances(client, owner, [contract]);
    return formatUnits(tokens[0] ?? 0n, token.decimals);
  } catch (error) {
    throw told(error, evm, chain);
  }
}
