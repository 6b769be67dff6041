import { base58xrp } from '@scure/base';
import { significant } from './decimal.ts';
import type { TrustLine, View } from './state.ts';

/** The line's two ends in the order of their account ids, and whether the first named is the low one. */
export function orderedPair(account: string, peer: string, currency: string) {
  const isLow = Buffer.compare(base58xrp.decode(account), base58xrp.decode(peer)) < 0;
  const [low, high] = isLow ? [account, peer] : [peer, account];
  return { id: { low, high, currency }, isLow };
}

/** The line from one of its ends: what it has of the other, and the most it wants. */
export function seenFrom(address: string, line: TrustLine) {
  const isLow = line.low === address;
  return {
    peer: isLow ? line.high : line.low,
    balance: isLow ? line.balance : -line.balance,
    limit: isLow ? line.low_limit : line.high_limit,
    peerLimit: isLow ? line.high_limit : line.low_limit,
  };
}

/** Nothing where there is no line. */
export async function holding(view: View, holder: string, issuer: string, currency: string) {
  const line = await view.line(orderedPair(holder, issuer, currency).id);
  return line && seenFrom(holder, line);
}

/** Changes what a holder has of an issuer. */
export async function moveHolding(
  view: View,
  [holder, issuer, currency]: readonly [string, string, string],
  units: bigint,
): Promise<void> {
  const { id, isLow } = orderedPair(holder, issuer, currency);
  const line = await view.line(id);
  if (!line) throw new Error(`No line of ${holder}`);
  const balance = significant(line.balance + (isLow ? units : -units));
  view.putLine({ ...line, balance });
}
