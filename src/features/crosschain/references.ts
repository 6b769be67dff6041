import type { Transfer } from './store.ts';

/** A name in the journal of the chain: there is one transaction of that name, ever. */
export const burnReference = (
  { nonce, burn_attempt }: Pick<Transfer, 'nonce' | 'burn_attempt'>,
  step = '',
): string => `burn:${nonce}${burn_attempt > 1 ? `:${burn_attempt}` : ''}${step}`;

/** The same of the platform's fee. */
export const feeReference = ({ nonce }: Pick<Transfer, 'nonce'>): string => `burn-fee:${nonce}`;

/** The names under which a burn and its fee are set aside. */
export const holdsOf = (transfer: Pick<Transfer, 'nonce' | 'burn_attempt'>): string[] => [
  burnReference(transfer),
  feeReference(transfer),
];

/** The same of a mint, whoever asks for it and however often. */
export const mintReference = (nonce: string, attempt: number): string =>
  `mint:${nonce}${attempt > 1 ? `:${attempt}` : ''}`;
