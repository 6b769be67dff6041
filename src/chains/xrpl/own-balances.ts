import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { OwnBalance } from '../port.ts';
import type { Connection } from './connection.ts';
import type { XrplKeys } from './keys.ts';
import { readAccount, readLine } from './setup.ts';

/** Of an XRP, and of a USDC. */
const MILLION = 1e6;

/** What the issuer and the platform's account have: both pay for what they sign. Nothing of one that is not funded. */
export async function readOwnBalances(
  connection: Connection,
  { issuer, platform }: Pick<XrplKeys, 'issuer' | 'platform'>,
): Promise<Outcome<readonly OwnBalance[]>> {
  const found: OwnBalance[] = [];
  for (const [wallet, { classicAddress }] of Object.entries({ issuer, platform })) {
    const account = await readAccount(connection, classicAddress);
    if (account.kind !== 'done') return account;
    if (account.value === undefined) continue;
    found.push({ wallet, asset: 'native', amount: Number(account.value.drops) / MILLION });
  }
  const line = await readLine(connection, platform.classicAddress, issuer.classicAddress);
  if (line.kind !== 'done') return line;
  if (line.value === undefined) return done(found);
  const amount = Number(line.value.balance) / MILLION;
  return done([...found, { wallet: 'platform', asset: 'USDC', amount }]);
}
