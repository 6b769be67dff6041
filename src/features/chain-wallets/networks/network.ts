import type { Chain } from '#chains/port.ts';
import { keptAnswer } from './kept-answer.ts';

/** A network with what this process has just learned of it. */
export interface ObservedNetwork {
  readonly id: string;
  readonly chain: Chain;
  newest: () => ReturnType<Chain['view']['newest']>;
  fees: () => ReturnType<Chain['view']['fees']>;
  contents: () => ReturnType<Chain['view']['contents']>;
}

export function observedNetworks(chains: readonly Chain[]): readonly ObservedNetwork[] {
  return chains.map((chain) => ({
    id: chain.key,
    chain,
    newest: keptAnswer(() => chain.view.newest()),
    fees: keptAnswer(() => chain.view.fees()),
    contents: keptAnswer(() => chain.view.contents()),
  }));
}
