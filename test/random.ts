import { createHash } from 'node:crypto';

/** Reproducible random numbers: derived from a seed and a use. */
export interface Random {
  /** A whole number from the first up to and including the second. */
  int(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  /** True for that share of all times, from 0 to 1. */
  chance(share: number): boolean;
}

const STEPS = 2 ** 48;

/** Another `use` of the same seed gives other numbers, so that more of one thing changes no other. */
export function randomOf(seed: number, use: string): Random {
  let drawn = 0;
  const next = (): number => {
    drawn += 1;
    return createHash('sha256').update(`${seed} ${use} ${drawn}`).digest().readUIntBE(0, 6) / STEPS;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    int,
    pick(list) {
      const found = list[int(0, list.length - 1)];
      if (found === undefined) throw new Error('There is nothing to pick from');
      return found;
    },
    chance: (share) => next() < share,
  };
}
