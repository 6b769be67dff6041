import { type Address, formatUnits, type Hash, parseEther } from 'viem';
import { mintTokenCall } from '#chains/evm/contracts/port.ts';
import { type ChainKey, readBalances, readToken } from '#chains/evm/port.ts';
import { managedAddresses } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { testMintQuota } from '#features/chain-wallets/networks/networks.ts';
import { readSpendable } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { money } from '#kernel/money/money.ts';
import { shownBalance, spendableOf } from '#kernel/money/shown-balance.ts';
import { transact } from '#kernel/transact.ts';
import type { CrosschainDeps } from '../deps.ts';
import { oursRefused, toCrosschainAppError } from '../faults.ts';
import { limitInWords } from '../terms.ts';

/** Units that one call gives at most: play money too has its bounds. */
const TEST_MINT_MAX = 1_000_000_000_000n;
const GAS_LOW = parseEther('0.05');
const GAS_GIFT = parseEther('0.5');

export interface TestTokenGrant {
  readonly chain: ChainKey;
  readonly to: Address;
  readonly amount: string;
  readonly operation: string;
  readonly by: Requester;
}

/**
 * Gives test USDC to any address. On a chain of our own it also gets the coins
 * that a first transaction costs. The same operation gives once. Throws LIMIT_EXCEEDED and
 * RATE_LIMITED.
 */
export async function testMint(deps: CrosschainDeps, gift: TestTokenGrant): Promise<Hash> {
  const { evm } = deps;
  const { units } = money('USDC', gift.amount);
  if (units > TEST_MINT_MAX)
    throw fail('LIMIT_EXCEEDED', `A test mint gives at most ${limitInWords(TEST_MINT_MAX)}`);
  const chain = evm.chains[gift.chain];
  const { sender, contracts, isEmbedded } = chain;
  // Each try counts, since its outcome is not known beforehand.
  await transact(deps.db, (tx) => deps.quotas.spend(tx, testMintQuota(isEmbedded), gift.by));
  const named = { signer: evm.keys.hot, purpose: 'test mint' };
  try {
    const { hash } = await sender.execute({
      ...named,
      ...mintTokenCall(contracts.usdc, gift.to, units),
      reference: `test-mint:${gift.operation}`,
    });
    if (isEmbedded && (await readBalances(chain, gift.to, [])).native < GAS_LOW)
      await sender.execute({
        ...named,
        to: gift.to,
        value: GAS_GIFT,
        reference: `test-mint:${gift.operation}:gas`,
      });
    return hash;
  } catch (error) {
    throw oursRefused(error, chain, `${chain.info.key} has no test tokens to give at the moment`);
  }
}

/** An address and a token on a chain, and who asks. */
interface Sought {
  readonly chain: ChainKey;
  readonly owner: Address;
  readonly contract: Address;
  readonly reach: TenantScope;
}

/**
 * What an address holds of a token on a chain, as decimal text in the token's own decimals. What is set aside is shown
 * of managed wallets that the caller reaches: of all others there is what the chain says.
 */
export async function tokenBalance(
  { evm, db }: Pick<CrosschainDeps, 'evm' | 'db'>,
  { chain, owner, contract, reach }: Sought,
): Promise<{ readonly balance: string; readonly held: string; readonly available: string }> {
  try {
    const token = await readToken(evm.chains[chain], contract);
    if (token === undefined) throw fail('VALIDATION_ERROR', `No token at ${contract} on ${chain}`);
    const place = { db, chain: evm.chains[chain], address: owner };
    const { token: found } = await readSpendable(place, contract);
    // Zero would say that there is none.
    if (found === undefined)
      throw fail('PROVIDER_UNAVAILABLE', `The token at ${contract} does not tell its balances`, {
        retryAfter: 60,
      });
    const isReached =
      (await managedAddresses(db, reach, { chain_id: chain, wallet_address: owner })).length > 0;
    const write = (units: bigint) => formatUnits(units, token.decimals);
    const left = isReached ? found : spendableOf(found.units, 0n);
    return { balance: write(found.units), ...shownBalance(write, left) };
  } catch (error) {
    throw toCrosschainAppError(error, evm.chains[chain]);
  }
}
