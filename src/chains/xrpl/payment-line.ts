/**
 * What books and ledger call a payment of ours. The tag is part of it: the same payment to another tag is
 * somebody else's money.
 */
export const paymentLine = (hash: string, tag: number | undefined): string =>
  tag === undefined ? hash : `${hash}:${tag}`;
